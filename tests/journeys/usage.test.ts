import { ADMIN_ROUTES, USAGE_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import type { UsageRow } from '@tollgate/contracts/usage/usage';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestApplication } from '../support/platform/test-application.ts';
import type { TestTeam } from '../support/platform/test-team.ts';
import { COUNTED_WITHIN, usageByOperation } from '../support/platform/usage-totals.ts';

const CREATED = 7;

let platform: SharedPlatform;
let team: TestTeam;
let application: TestApplication;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  application = await platform.createApplication(team);
});
afterAll(() => platform?.leave());

const api = () => apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
const totals = () => usageByOperation(team.owner, application.id);
/** Two days, in case midnight falls within the test. */
const period = () => ({
  from: `${new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10)}T00:00:00Z`,
  to: new Date(Date.now() + 3_600_000).toISOString(),
});

it('usage counts each request once by outcome', async () => {
  const ids: string[] = [];
  for (let index = 0; index < CREATED; index++) {
    const body = { amount: 100 + index, currency: 'EUR', payment_method: 'pm_hold' };
    ids.push((await api().create(body, `usage-${index}`)).body.id);
  }
  await api().create({ amount: 100, currency: 'EUR', payment_method: 'pm_hold' }, 'usage-0');
  await api().create({ amount: -1, currency: 'EUR' });
  await api().cancel(ids[0] as string);
  await api().cancel(ids[0] as string);
  await api().read(ids[1] as string);
  await eventually(
    'all are counted',
    async () =>
      (await totals()).create_payment?.requests === CREATED + 2 &&
      (await totals()).cancel_payment?.requests === 2 &&
      (await totals()).read_payment?.succeeded === 1,
    COUNTED_WITHIN,
  );
  expect(await totals()).toMatchObject({
    create_payment: { succeeded: CREATED, replayed: 1, client_errors: 1, server_errors: 0 },
    cancel_payment: { succeeded: 1, replayed: 1 },
    read_payment: { succeeded: 1 },
  });
});

it('usage is available in the admin API with percentiles and the last use of each key, and hides other teams', async () => {
  const other = await platform.createTeam();
  const asked = { ...period(), granularity: 'hour' as const, application_id: application.id };
  const own = platform.admin.as(team.owner.session);
  const foreign = platform.admin.as(other.owner.session);
  const { body } = await own.call(ADMIN_ROUTES.queryUsage, { ...asked, operation: 'create_payment' });
  expect(body.data.reduce((sum, { requests }) => sum + requests, 0)).toBe(CREATED + 2);
  expect(body.data[0]?.p50_ms).toBeGreaterThan(0);
  expect((await foreign.call(ADMIN_ROUTES.queryUsage, asked)).body.data).toEqual([]);
  const uses = await own.call(ADMIN_ROUTES.keyUses, { application_id: application.id });
  expect(uses.body.data.map(({ key_id }) => key_id)).toContain(application.keyIds.sandbox);
  expect((await foreign.call(ADMIN_ROUTES.keyUses, { application_id: application.id })).body.data).toEqual(
    [],
  );
});

it('usage is exported as CSV with the rows of the admin API', async () => {
  const query = {
    ...period(),
    granularity: 'hour' as const,
    group_by: 'application,operation',
  };
  const own = platform.admin.as(team.owner.session);
  const { body } = await own.call(ADMIN_ROUTES.queryUsage, query);
  const csv = await own.fetch(`${USAGE_CSV_PATH}?${new URLSearchParams(query)}`);
  expect(csv.status).toBe(200);
  const [header = '', ...lines] = (await csv.text()).trimEnd().split('\r\n');
  const columns = header.split(',') as (keyof UsageRow)[];
  expect(columns.slice(0, 4)).toEqual(['at', 'application_id', 'operation', 'requests']);
  expect(lines.map((line) => line.split(','))).toEqual(
    body.data.map((row) => columns.map((column) => String(row[column] ?? ''))),
  );
  expect(lines.length).toBeGreaterThanOrEqual(3);
});

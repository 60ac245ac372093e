import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';

const MAX_UNRECORDED_PAGES = 50;

let platform: SharedPlatform;
let team: TestTeam;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  const application = await platform.createApplication(team);
  for (const environment of ['live', 'sandbox'] as const) {
    const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
    const payment = { amount: 100, currency: 'EUR', payer: { name: 'Ada Lovelace' } };
    expect((await api.create(payment, randomUUID())).status).toBe(201);
  }
});
afterAll(() => platform?.leave());

/** Reads this many different pages of one environment, as someone does who copies a history. */
async function readPages(member: TestMember, count: number, environment: 'live' | 'sandbox' = 'live') {
  const caller = platform.admin.as(member.session);
  for (let page = 1; page <= count; page += 1) {
    const request = { environment, amount_max: 1_000 + page };
    const { status, body } = await caller.call(ADMIN_ROUTES.listPayments, request);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(1);
  }
}

const recordsOf = async (member: TestMember) => {
  const request = { action: 'payments.paged' as const, actor_id: member.id };
  return (await platform.admin.as(team.owner.session).call(ADMIN_ROUTES.listRecords, request)).body.data;
};

describe('a member who reads page after page of live payments', () => {
  it('is recorded once in an hour, with the page that exceeds the limit', async () => {
    const viewer = await team.createMember('viewer');
    await readPages(viewer, MAX_UNRECORDED_PAGES);
    await readPages(viewer, MAX_UNRECORDED_PAGES);
    expect(await recordsOf(viewer)).toEqual([]);
    // Enough for one of the hours if a new one begins meanwhile.
    await readPages(viewer, 2 * (MAX_UNRECORDED_PAGES + 1));
    await eventually('it is recorded', async () => (await recordsOf(viewer)).length > 0);
    const records = await recordsOf(viewer);
    const hours = new Set(records.map(({ changes }) => changes['hour']?.after));
    expect(records).toHaveLength(hours.size);
    expect(records[0]).toMatchObject({
      environment: 'live',
      actor: { type: 'member', id: viewer.id },
      target: { type: 'payments', id: team.id },
      changes: { pages: { after: MAX_UNRECORDED_PAGES + 1 } },
    });
  });

  it('is not recorded for test data', async () => {
    const viewer = await team.createMember('viewer');
    await readPages(viewer, MAX_UNRECORDED_PAGES + 2, 'sandbox');
    expect(await recordsOf(viewer)).toEqual([]);
  });
});

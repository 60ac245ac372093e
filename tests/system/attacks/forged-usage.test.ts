import { type Bus, connectBus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { newId } from '@tollgate/contracts/platform/ids';
import { USAGE_WINDOWS_SUBJECT } from '@tollgate/contracts/platform/streams';
import { bucketOf } from '@tollgate/contracts/usage/log-linear-histogram';
import { type UsageWindow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { countUnverified } from '../../support/platform/unverified-messages.ts';
import { usageByOperation } from '../../support/platform/usage-totals.ts';

/** The gateway closes a window every second, and usage rolls windows up every two. */
const COUNTED_WITHIN = { timeoutMs: 30_000 };

let platform: SharedPlatform;
let team: TestTeam;
let application: TestApplication;
/** The attacker may publish anything to NATS, and has no key of a service. */
let bus: Bus;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  application = await platform.createApplication(team);
  bus = await connectBus({ url: platform.natsUrl, name: 'attacker' });
});
afterAll(async () => {
  await bus?.close();
  await platform?.leave();
});

function aWindow(): UsageWindow {
  const caller = {
    team_id: application.teamId,
    application_id: application.id,
    key_id: application.keyIds.sandbox,
    environment: 'sandbox',
    operation: 'create_payment',
    outcome: 'succeeded',
  } as const;
  return {
    gateway_id: newId('gatewayInstance'),
    number: 1,
    at: new Date().toISOString(),
    rows: [{ ...caller, requests: 1_000, latency: [[bucketOf(1_000), 1_000]] }],
    open_questions: [],
    log: { callers: [], lines: [] },
  };
}

const created = async () =>
  (await usageByOperation(team.owner, application.id)).create_payment?.requests ?? 0;

const { signers } = createIssuerKeys();
const attempts: [reason: string, what: string, forge: (window: UsageWindow) => UsageWindow][] = [
  ['unsigned', 'without a signature', (window) => window],
  ['altered', 'signed with a key of the attacker', (window) => signers.gateway.sign('usage_window', window)],
  ['wrong-issuer', 'signed by another service', (window) => signers.payments.sign('usage_window', window)],
];

it.each(attempts)('(%s) a usage window %s counts nothing', async (reason, _what, forge) => {
  const unverified = () => countUnverified(platform.opsUrls.usage, 'usage_window', reason);
  const before = { unverified: await unverified(), created: await created() };
  const window = aWindow();
  await createPublisher(bus).publish(USAGE_WINDOWS_SUBJECT, forge(window), {
    messageId: usageWindowId(window),
  });
  await eventually(
    'usage counts it as unverified',
    async () => (await unverified()) > before.unverified,
    COUNTED_WITHIN,
  );

  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  expect((await api.create()).status).toBe(201);
  await eventually(
    'the true request is counted',
    async () => (await created()) > before.created,
    COUNTED_WITHIN,
  );
  expect(await created()).toBe(before.created + 1);
});

import { createPublisher } from '@tollgate/bus/publisher';
import { callRpc } from '@tollgate/bus/rpc';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { newId } from '@tollgate/contracts/platform/ids';
import { USAGE_WINDOWS_SUBJECT } from '@tollgate/contracts/platform/streams';
import { confirmWindows, keyUses, totalUsage, usageProgress } from '@tollgate/contracts/usage/rpc';
import { type UsageWindow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Harness, NOW, type Service, startHarness } from './harness.ts';
import { aCaller, createTestGateway } from './windows.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());
beforeEach(() => harness.clock.set(NOW));

const publish = (body: unknown, messageId: string) =>
  createPublisher(harness.client).publish(USAGE_WINDOWS_SUBJECT, body, { messageId });
/**
 * Publishes as a gateway does the first time. With another message id, as when JetStream no longer recognizes the
 * repetition.
 */
const send = (window: UsageWindow, messageId = usageWindowId(window)) => publish(signed(window), messageId);
const signed = (window: object) => harness.issuerKeys.signers.gateway.sign('usage_window', window);

const confirmed = async (gateway_id: string, numbers: number[]) =>
  (await callRpc(harness.client, confirmWindows, { gateway_id, numbers })).stored;
const isConfirmed = (gatewayId: string, number: number) =>
  eventually(
    `window ${number} is confirmed`,
    async () => (await confirmed(gatewayId, [number])).length === 1,
  );

async function requestsOf(team_id: string) {
  await service.app.rollUp();
  const day = { from: '2036-11-01T00:00:00Z', to: '2036-11-30T00:00:00Z', granularity: 'day' as const };
  return (await harness.call(team_id, totalUsage, day)).total.requests;
}
const metric = async (name: string) =>
  Number(
    new RegExp(`^tollgate_${name}_total\\{.*\\} (.+)$`, 'm').exec(await service.registry.metrics())?.[1],
  );

it('a window of usage is confirmed once it is stored, and not before', async () => {
  const gateway = createTestGateway();
  const caller = aCaller();
  expect(await confirmed(gateway.gatewayId, [1])).toEqual([]);
  await send(gateway.window(NOW, [{ caller }]));
  await isConfirmed(gateway.gatewayId, 1);
  expect(await confirmed(gateway.gatewayId, [1, 2, 3])).toEqual([1]);
  expect(await requestsOf(caller.team_id)).toBe(1);
});

it('a window of usage that is sent three times, even long after it was rolled up, counts once', async () => {
  const gateway = createTestGateway();
  const caller = aCaller();
  const window = gateway.window(NOW, [{ caller }, { caller, outcome: 'replayed' }]);
  await send(window);
  await isConfirmed(gateway.gatewayId, 1);
  expect(await requestsOf(caller.team_id)).toBe(2);
  const before = await metric('usage_windows_repeated');
  await send(window, 'again');
  await send(window, 'and again');
  await eventually('both came', async () => (await metric('usage_windows_repeated')) === before + 2);
  expect(await requestsOf(caller.team_id)).toBe(2);
});

it('a window of usage is confirmed despite gaps in the numbers, which windows without requests leave', async () => {
  const gateway = createTestGateway(1_020);
  const caller = aCaller();
  for (const _ of [1, 2, 3]) {
    await send(gateway.window(NOW, [{ caller }]));
    gateway.skipNumbers(30);
  }
  for (const number of [1_020, 1_051, 1_082]) await isConfirmed(gateway.gatewayId, number);
  expect(await confirmed(gateway.gatewayId, [1_019, 1_020, 1_021, 1_051, 1_081, 1_082, 9_999])).toEqual([
    1_020, 1_051, 1_082,
  ]);
});

it('a window of usage stays confirmed after it expires, and is not counted when it arrives again', async () => {
  const gateway = createTestGateway();
  const caller = aCaller();
  const window = gateway.window(NOW, [{ caller }]);
  await send(window);
  await isConfirmed(gateway.gatewayId, 1);
  expect(await requestsOf(caller.team_id)).toBe(1);
  await service.connection.collection('windows').deleteMany({ gateway_id: gateway.gatewayId });
  harness.clock.set(NOW + 9 * DAY_MS);
  const [repeated, tooLate] = [
    await metric('usage_windows_repeated'),
    await metric('usage_windows_too_late'),
  ];
  await send(window, 'after its expiry');
  await eventually('it came', async () => (await metric('usage_windows_repeated')) === repeated + 1);
  expect(await confirmed(gateway.gatewayId, [1])).toEqual([1]);
  expect(await requestsOf(caller.team_id)).toBe(1);
  expect(await metric('usage_windows_too_late')).toBe(tooLate);
});

it('a window of usage that arrives more than 7 days late is confirmed, reported in log and metrics, and leaves its minute unchanged', async () => {
  const gateway = createTestGateway();
  const caller = aCaller();
  await send(gateway.window(NOW, [{ caller }]));
  await isConfirmed(gateway.gatewayId, 1);
  expect(await requestsOf(caller.team_id)).toBe(1);
  harness.clock.set(NOW + 7 * DAY_MS + 1);
  const before = await metric('usage_requests_too_late');
  await send(gateway.window(NOW, [{ caller }, { caller }]));
  await isConfirmed(gateway.gatewayId, 2);
  expect(await metric('usage_requests_too_late')).toBe(before + 2);
  expect(harness.logLines.join('')).toContain('arrived more than 7 days late');
  expect(await requestsOf(caller.team_id)).toBe(1);
});

it('a window of usage that cannot be counted becomes a dead letter, and later ones are stored', async () => {
  const gateway = createTestGateway();
  const caller = aCaller();
  const good = gateway.window(NOW, [{ caller }]);
  const row = good.rows[0] as UsageWindow['rows'][number];
  const malformed: object[] = [
    { ...good, number: 0 },
    { ...good, rows: [] },
    { ...good, rows: [{ ...row, outcome: 'lost' }] },
    { ...good, rows: [{ ...row, requests: 2 }] },
    { ...good, rows: [{ ...row, latency: [[99_999, 1]] }] },
    { no: 'window at all' },
  ];
  for (const [index, body] of malformed.entries()) await publish(signed(body), `malformed-${index}`);
  await send(good);
  await isConfirmed(gateway.gatewayId, 1);
  await eventually('all are counted', async () => (await metric('dead_letters')) === malformed.length);
  expect(harness.logLines.join('')).toContain('outcome is unknown to this release');
  expect(await requestsOf(caller.team_id)).toBe(1);
});

it('a window of usage that no gateway signed becomes a dead letter, counts nothing, and blocks no other', async () => {
  const gateway = createTestGateway();
  const caller = aCaller();
  const [unsigned, ofOther, altered, good] = [1, 2, 3, 4].map(() => gateway.window(NOW, [{ caller }])) as [
    UsageWindow,
    UsageWindow,
    UsageWindow,
    UsageWindow,
  ];
  const before = await metric('dead_letters');
  await publish(unsigned, 'unsigned');
  await publish(harness.issuerKeys.signers.payments.sign('usage_window', ofOther), 'of another issuer');
  await publish({ ...signed(altered), number: 99 }, 'altered');
  await send(good);
  await isConfirmed(gateway.gatewayId, good.number);
  await eventually('all are dead', async () => (await metric('dead_letters')) === before + 3);
  expect(await confirmed(gateway.gatewayId, [1, 2, 3, 99])).toEqual([]);
  const metrics = await service.registry.metrics();
  for (const reason of ['unsigned', 'wrong-issuer', 'altered'])
    expect(metrics).toMatch(
      new RegExp(`unverified_messages_total\\{kind="usage_window",reason="${reason}".*\\} 1`),
    );
});

it('a window of usage records when each key was last used, in whatever order windows arrive', async () => {
  const gateway = createTestGateway();
  const caller = aCaller();
  const other = aCaller({ team_id: caller.team_id, application_id: caller.application_id });
  const seconds = [5, 1, 3].map((second) => gateway.window(NOW + second * 1_000, [{ caller }]));
  for (const window of [...seconds, gateway.window(NOW, [{ caller: other }])]) await send(window);
  for (const number of [1, 2, 3, 4]) await isConfirmed(gateway.gatewayId, number);
  const { team_id, application_id } = caller;
  expect((await harness.call(team_id, keyUses, { application_id })).data).toEqual([
    { key_id: caller.key_id, last_used_at: new Date(NOW + 5_000).toISOString() },
    { key_id: other.key_id, last_used_at: new Date(NOW).toISOString() },
  ]);
  expect((await harness.call(newId('team'), keyUses, { application_id })).data).toEqual([]);
});

it('a window of usage counts as waiting in the progress of its team, and of no other, until it is rolled up', async () => {
  const idle = await harness.startService({ isStarted: false });
  const caller = aCaller();
  const progress = () => harness.call(caller.team_id, usageProgress, {});
  expect(await progress()).toEqual({ complete_to: null, windows_to_roll_up: 0 });
  await idle.app.ingest(createTestGateway().window(NOW, [{ caller }]));
  await idle.app.rollUp();
  expect(await progress()).toEqual({ complete_to: new Date(NOW).toISOString(), windows_to_roll_up: 0 });
});

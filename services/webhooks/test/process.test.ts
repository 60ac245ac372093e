import { systemClock } from '@tollgate/runtime/clock';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anEvent, type Harness, startHarness } from './harness.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ signingClock: systemClock });
});
afterAll(() => harness.stop());

it('the process counts attempts at /metrics, without naming an endpoint, application, or team, and exits with status 0 on SIGTERM', async () => {
  // An event that is published during the first reconciliation could be delivered by either.
  const { connection } = await harness.startService({ isStarted: false });
  const dueAt = async () =>
    (await connection.collection('reconciliations').findOne({}))?.['due_at']?.getTime() ?? 0;
  const dueBefore = await dueAt();
  const running = startProcessUnderTest(MAIN, harness.processEnv);
  await running.ready();
  await eventually('the first reconciliation has ended', async () => (await dueAt()) > dueBefore);
  const receiver = await harness.startReceiver();
  const application = await harness.anApplication();
  const endpoint = await harness.anEndpoint(application, receiver.url);
  await harness.publish(anEvent(application));
  let shown = '';
  const sampleOf = (name: string) => new RegExp(`^${name}\\{.*\\} (.+)$`, 'm').exec(shown)?.[1];
  await eventually('the attempt is counted and over, and the backlog was measured since', async () => {
    shown = await (await fetch(`${running.opsUrl()}/metrics`)).text();
    const isCounted = shown.includes('tollgate_webhooks_attempts_total{');
    const isOver = sampleOf('tollgate_webhooks_attempts_in_flight') === '0';
    return isCounted && isOver && sampleOf('tollgate_webhooks_deliveries_due') === '0';
  });
  expect(shown).toMatch(/^tollgate_webhooks_attempts_total\{.*outcome="succeeded".*\} 1$/m);
  for (const [name, value] of [
    ['attempt_duration_seconds_count', '1'],
    ['first_attempt_delay_seconds_count', '1'],
    ['deliveries_fanned_out_total', '1'],
    ['events_reconciled_total', '0'],
    ['claims_lost_total', '0'],
    ['attempts_in_flight', '0'],
    ['deliveries_due', '0'],
    ['oldest_due_age_seconds', '0'],
  ] as const)
    expect([name, sampleOf(`tollgate_webhooks_${name}`)]).toEqual([name, value]);
  for (const id of [endpoint.id, application.id, application.teamId]) expect(shown).not.toContain(id);
  expect(await running.end('SIGTERM')).toEqual([0, null]);
  await receiver.stop();
});

it('the process fails to start with an invalid configuration, and names every variable', async () => {
  const wrong = {
    NATS_URL: 'http://x',
    MONGODB_URL: '',
    WEBHOOK_ENCRYPTION_KEYS: '1:short',
    ACTOR_PUBLIC_KEYS: '',
    SIGNING_KEYS: '',
    SIGNER_PUBLIC_KEYS: '',
    WEBHOOKS_ALLOW_PRIVATE_NETWORKS: 'yes',
    WEBHOOKS_LIVE_NETWORKS: '10.0.0.0/33',
    WEBHOOKS_CONCURRENCY: '0',
    WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT: '0',
  };
  const running = startProcessUnderTest(MAIN, wrong);
  expect(await running.exited).not.toEqual([0, null]);
  for (const name of Object.keys(wrong)) expect(running.output()).toContain(name);
});

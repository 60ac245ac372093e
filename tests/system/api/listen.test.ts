import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createToken, revokeToken } from '@tollgate/contracts/accounts/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { startCuttingProxy } from '../../support/platform/cutting-proxy.ts';
import { COMPILE_CACHE, TOLLGATE } from '../../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { type ReceivedWebhook, startWebhookReceiver } from '../../support/platform/webhook-receiver.ts';

/** Their events fill several pages of the feed. */
const PAYMENTS = 100;
const EVENTS = PAYMENTS * 3;
const CREATED_AT_ONCE = 20;
const CUTS = 5;
/** Hundreds of events, on a machine that may be busy with other tests. */
const SOON = { timeoutMs: 90_000, intervalMs: 50 };

let platform: SharedPlatform;
let team: TestTeam;
let token: string;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  token = shownOnce((await team.owner.call(createToken, { name: 'listen', role: 'viewer' })).secret);
});
afterAll(() => platform?.leave());

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

interface Listening {
  process: ChildProcess;
  /** Standard error. */
  said(): string;
  /** Like Ctrl+C. Returns the exit code. */
  interrupt(): Promise<number>;
}

async function listen(args: string[], env: Record<string, string>): Promise<Listening> {
  const listening = spawn(process.execPath, [TOLLGATE, 'listen', ...args], {
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'], TOLLGATE_API_TOKEN: token, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(listening, 'exit');
  onTestFinished(async () => {
    listening.kill('SIGKILL');
    await exited;
  });
  let said = '';
  listening.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await eventually('it is ready', () => said.includes('Ready.'), SOON);
  return {
    process: listening,
    said: () => said,
    async interrupt() {
      listening.kill('SIGINT');
      const [code] = await exited;
      return code as number;
    },
  };
}

/** The versions of each payment, in the order in which they were first received. */
function versionsByPayment(received: ReceivedWebhook[]): number[][] {
  const seen = new Set<string>();
  const versions = new Map<string, number[]>();
  for (const { id, body } of received) {
    if (seen.has(id)) continue;
    seen.add(id);
    versions.set(body.data.id, [...(versions.get(body.data.id) ?? []), body.data.version]);
  }
  return [...versions.values()];
}

it(`tollgate listen forwards each of ${EVENTS} events, in order for each payment, through ${CUTS} disconnects and a restart`, async () => {
  const application = await platform.createApplication(team);
  const proxy = await startCuttingProxy(platform.adminUrl);
  onTestFinished(() => proxy.stop());
  const secret = newSecret();
  const env = { TOLLGATE_ADMIN_URL: proxy.url, TOLLGATE_WEBHOOK_SECRET: secret };
  let cuts = 0;
  const receiver = await startWebhookReceiver({
    secret,
    respond() {
      const isTime = receiver.received.length >= ((cuts + 1) * EVENTS) / (CUTS + 2);
      if (isTime && cuts < CUTS) {
        cuts += 1;
        proxy.cutNext();
      }
      return {};
    },
  });
  onTestFinished(() => receiver.close());
  const args = ['--forward-to', receiver.url, '--application', application.id];

  const first = await listen(args, env);
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  const creating = (async () => {
    for (let created = 0; created < PAYMENTS; created += CREATED_AT_ONCE) {
      const batch = Math.min(CREATED_AT_ONCE, PAYMENTS - created);
      await Promise.all(Array.from({ length: batch }, () => api.create()));
    }
  })();
  // A cut at the moment of the interruption would not be followed by a retry.
  const retries = () => first.said().match(/Retrying\./g)?.length ?? 0;
  await eventually(
    'half of the events came, and no cut is pending',
    () => receiver.received.length >= EVENTS / 2 && retries() === cuts,
    SOON,
  );
  expect(await first.interrupt()).toBe(0);
  const from = /--from (evt_\w+)/.exec(first.said())?.[1] as string;
  await creating;

  const second = await listen([...args, '--from', from], env);
  await eventually(
    'every event came',
    () => new Set(receiver.received.map(({ id }) => id)).size === EVENTS,
    SOON,
  );
  expect(await second.interrupt()).toBe(0);
  expect(versionsByPayment(receiver.received)).toEqual(Array.from({ length: PAYMENTS }, () => [1, 2, 3]));
  expect(cuts).toBe(CUTS);
  expect((first.said() + second.said()).match(/Retrying\./g)).toHaveLength(CUTS);
  expect(receiver.rejected).toEqual([]);
  // Only the event that was in flight at the interruption may come twice.
  expect(receiver.received.length - EVENTS).toBeLessThanOrEqual(1);
});

it('tollgate listen waits while the server is down, and forwards what it has missed', async () => {
  const application = await platform.createApplication(team);
  const secret = newSecret();
  const closed = await startWebhookReceiver({ secret });
  await closed.close();
  const env = { TOLLGATE_ADMIN_URL: platform.adminUrl, TOLLGATE_WEBHOOK_SECRET: secret };
  const forward = ['--forward-to', closed.url, '--application', application.id];
  const listening = await listen([...forward, '--events', 'payment.succeeded'], env);
  const { body } = await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).create();
  const isDown = () => listening.said().includes('does not respond');
  await eventually('it reports that the server is down', isDown, SOON);
  const { port } = new URL(closed.url);
  const receiver = await startWebhookReceiver({ secret, port: Number(port) });
  onTestFinished(() => receiver.close());
  await eventually('the event came', () => receiver.received.length > 0, SOON);
  expect(receiver.received.map((webhook) => [webhook.body.type, webhook.body.data.id])).toEqual([
    ['payment.succeeded', body.id],
  ]);
  expect(await listening.interrupt()).toBe(0);
});

it('tollgate listen ends with what to do when its token is revoked', async () => {
  const { secret, id } = await team.owner.call(createToken, { name: 'short-lived', role: 'viewer' });
  const env = { TOLLGATE_ADMIN_URL: platform.adminUrl, TOLLGATE_API_TOKEN: shownOnce(secret) };
  const listening = await listen([], env);
  const exited = once(listening.process, 'exit');
  await team.owner.call(revokeToken, { token_id: id });
  // Ends the current request. The next one is rejected.
  const application = await platform.createApplication(team);
  await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).create();
  expect(await exited).toEqual([1, null]);
  expect(listening.said()).toContain('This API token was revoked.');
});

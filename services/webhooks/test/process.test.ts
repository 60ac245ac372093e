import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from './harness.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe('the process', () => {
  it('becomes ready, and on SIGTERM ends within seconds with status 0', async () => {
    const running = startProcessUnderTest(MAIN, harness.processEnv);
    await running.ready();
    expect(await running.end('SIGTERM')).toEqual([0, null]);
  });

  it('does not start on a wrong configuration, and names every variable', async () => {
    const wrong = {
      NATS_URL: 'http://x',
      MONGODB_URL: '',
      WEBHOOK_ENCRYPTION_KEYS: '1:short',
      ACTOR_PUBLIC_KEYS: '',
      WEBHOOKS_ALLOW_PRIVATE_NETWORKS: 'yes',
      WEBHOOKS_LIVE_NETWORKS: '10.0.0.0/33',
      WEBHOOKS_CONCURRENCY: '0',
    };
    const running = startProcessUnderTest(MAIN, wrong);
    expect(await running.exited).not.toEqual([0, null]);
    for (const name of Object.keys(wrong)) expect(running.output()).toContain(name);
  });
});

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
  it('becomes ready, and exits with status 0 within seconds after SIGTERM', async () => {
    const running = startProcessUnderTest(MAIN, harness.processEnv);
    await running.ready();
    expect((await fetch(`${running.opsUrl()}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${running.opsUrl()}/metrics`)).text()).toContain('service="applications"');
    expect(await running.end('SIGTERM')).toEqual([0, null]);
  });

  it('does not start with an invalid configuration, and names every invalid variable', async () => {
    const wrong = {
      NATS_URL: 'http://x',
      MONGODB_URL: '',
      API_KEY_PEPPERS: '',
      ACTOR_PUBLIC_KEYS: '',
      SIGNING_KEYS: '1:c2VjcmV0',
    };
    const running = startProcessUnderTest(MAIN, wrong);
    expect(await running.exited).not.toEqual([0, null]);
    for (const name of Object.keys(wrong)) expect(running.output()).toContain(name);
  });
});

import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from './harness.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

it('the process becomes ready, and exits with status 0 within seconds after SIGTERM', async () => {
  const running = startProcessUnderTest(MAIN, harness.processEnv);
  await running.ready();
  expect((await fetch(`${running.opsUrl()}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${running.opsUrl()}/metrics`)).text()).toContain('service="applications"');
  expect(await running.end('SIGTERM')).toEqual([0, null]);
});

import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readUsageConfig } from '../src/config.ts';
import { type Harness, startHarness } from './harness.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

it('the process becomes ready, serves its metrics, and exits with status 0 within seconds after SIGTERM', async () => {
  const running = startProcessUnderTest(MAIN, harness.processEnv);
  await running.ready();
  const shown = await (await fetch(`${running.opsUrl()}/metrics`)).text();
  for (const name of ['windows_stored_total', 'windows_too_late_total', 'windows_to_roll_up'])
    expect(shown).toMatch(new RegExp(`^tollgate_usage_${name}\\{.*\\} 0$`, 'm'));
  expect(await running.end('SIGTERM')).toEqual([0, null]);
});

it('an invalid configuration is rejected with the name of every invalid variable', () => {
  const wrong = { NATS_URL: 'http://x', MONGODB_URL: '', ACTOR_PUBLIC_KEYS: '', SIGNER_PUBLIC_KEYS: '' };
  expect(() => readUsageConfig(wrong)).toThrow(
    expect.toSatisfy(({ message }: Error) => Object.keys(wrong).every((name) => message.includes(name))),
  );
});

import * as contract from '@tollgate/contracts/accounts/rpc';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FOR_GET_ME, GET_ME, type Harness, setUpFounder, signIn, startHarness } from './harness.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

it('the process becomes ready, serves requests, and exits with status 0 within seconds after SIGTERM', async () => {
  const running = startProcessUnderTest(MAIN, harness.processEnv);
  await running.ready();
  expect((await fetch(`${running.opsUrl()}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${running.opsUrl()}/metrics`)).text()).toContain('service="accounts"');
  harness.clock.set(Date.now());
  const founder = await setUpFounder(harness);
  const { token } = await signIn(harness, founder);
  const session = { session_token: token, address: null, user_agent: null };
  const { actor_token } = await harness.callAnonymously(contract.issueActorToken, session, FOR_GET_ME);
  expect(await harness.verifyActor(actor_token, GET_ME)).toMatchObject({
    member_id: founder.id,
    role: 'owner',
  });
  for (const secret of [founder.password, token, actor_token, harness.setupToken]) {
    expect(running.output()).not.toContain(secret);
  }
  expect(await running.end('SIGTERM')).toEqual([0, null]);
});

it('the process does not start with an invalid configuration, and names every invalid variable', async () => {
  const wrong = {
    NATS_URL: 'http://x',
    MONGODB_URL: '',
    ACCOUNTS_ENCRYPTION_KEYS: '',
    ACTOR_SIGNING_KEY: 'x',
    ACTOR_PUBLIC_KEYS: '',
    SETUP_TOKEN: 'short',
    SIGNING_KEYS: '1:c2VjcmV0',
  };
  const running = startProcessUnderTest(MAIN, wrong);
  expect(await running.exited).not.toEqual([0, null]);
  for (const name of Object.keys(wrong)) expect(running.output()).toContain(name);
});

import { consume } from '@tollgate/bus/consumer';
import { rejection } from '@tollgate/bus/test/rejection';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { USER_AGENT } from '../harness.ts';
import {
  configure,
  createSsoTeam,
  type SsoHarness,
  type SsoTeam,
  start,
  startAndReturn,
  startSsoHarness,
} from './scene.ts';

/** More than the log gets at once from one network. */
const MANY = 12;

let harness: SsoHarness;
let team: SsoTeam;
let consumer: { stop(): Promise<void> };
const entries: AuditEntry[] = [];

beforeAll(async () => {
  harness = await startSsoHarness();
  consumer = consume(harness.client, {
    stream: 'AUDIT',
    durable: 'failed-single-sign-ons-test',
    logger: harness.logger,
    schema: AuditEntry,
    handle: async ({ body }) => void entries.push(body),
  });
});
beforeEach(async () => {
  team = await createSsoTeam(harness, { default_role: null });
});
afterEach(() => team.provider.stop());
afterAll(async () => {
  await consumer?.stop();
  await harness.stop();
});

const emailOf = (sub: string) => `${sub}@${team.domain}`;
const failures = () =>
  entries.filter(({ action, team_id }) => action === 'team.sso_sign_in_failed' && team_id === team.teamId);
const reasons = () => failures().map(({ changes }) => changes['reason']?.after);

/** Finishes a sign-in from this address, which must fail. */
async function failToFinish(
  browserToken: string,
  callback: URL,
  { teamId = team.teamId, address = '198.51.100.7' } = {},
): Promise<void> {
  const attempt = harness.callAnonymously(contract.finishSingleSignOn, {
    team_id: teamId,
    browser_token: browserToken,
    response: callback.search.slice(1),
    address,
    user_agent: USER_AGENT,
  });
  expect((await rejection(attempt)).code).toBe('sso-failed');
}

/** Signs in at the provider with these claims, up to the callback. */
async function returnAs(sub: string, claims: Record<string, unknown> = {}) {
  team.provider.addPerson({ sub, email: emailOf(sub), email_verified: true, ...claims });
  return startAndReturn(harness, team, sub, emailOf(sub));
}

/** The entries of failures wait for a sweep. */
async function publish(): Promise<void> {
  await harness.service.audit.sweep();
  await harness.service.audit.drain();
}

async function expectReasons(...expected: string[]): Promise<void> {
  await publish();
  await eventually('the failures are published', () => failures().length >= expected.length);
  expect(reasons().toSorted()).toEqual(expected.toSorted());
}

it('a failed sign-in with single sign-on is in the audit log of the team with its reason, and with nothing that others wrote', async () => {
  const { browserToken, callback } = await returnAs('louis', {
    email: 'louis@elsewhere.example',
    name: 'Louis',
  });
  await failToFinish(browserToken, callback);
  await expectReasons('unverified_domain');
  const [entry] = failures();
  expect(entry).toMatchObject({
    actor: { type: 'system', id: null },
    target: { type: 'team', id: team.teamId },
    context: { ip: '198.51.100.7', user_agent: USER_AGENT },
    changes: { reason: { before: null, after: 'unverified_domain' } },
  });
  const written = JSON.stringify(entry);
  // Ids contain neither i nor l nor o nor u.
  for (const text of ['louis', 'Louis', browserToken, ...callback.searchParams.values()])
    expect(written).not.toContain(text);
});

it.each<[string, Record<string, unknown>]>([
  ['unverified_email', { email_verified: false }],
  ['no_email', { email: undefined }],
  ['not_invited', {}],
])('a failed sign-in with single sign-on says %s', async (reason, claims) => {
  const { browserToken, callback } = await returnAs('eve', claims);
  await failToFinish(browserToken, callback);
  await expectReasons(reason);
});

it('a failed sign-in with single sign-on says that the groups have no role', async () => {
  await configure(harness, team, {
    role_claim: 'groups',
    role_rules: [{ value: 'ops', role: 'admin' }],
    default_role: null,
  });
  const { browserToken, callback } = await returnAs('eve', { groups: ['sales'] });
  await failToFinish(browserToken, callback);
  await expectReasons('no_role');
});

it('a failed sign-in with single sign-on says that the ID token is not valid', async () => {
  team.provider.rewriteIdTokens((idToken) => `${idToken.slice(0, idToken.lastIndexOf('.'))}.AAAA`);
  const { browserToken, callback } = await returnAs('eve');
  await failToFinish(browserToken, callback);
  await expectReasons('invalid_response');
});

it('a failed sign-in with single sign-on says that the provider denied it, without the words of the provider', async () => {
  const { browserToken, callback } = await returnAs('eve');
  callback.searchParams.delete('code');
  callback.searchParams.set('error', 'access_denied');
  callback.searchParams.set('error_description', 'Call 555-0100 now');
  await failToFinish(browserToken, callback);
  await expectReasons('provider_denied');
  expect(JSON.stringify(failures())).not.toMatch(/Call|555-0100/);
});

it('a failed sign-in with single sign-on says that the response was used before, came from another browser, or came too late', async () => {
  const { browserToken: another } = await returnAs('eve');
  const { browserToken, callback } = await returnAs('eve');
  await failToFinish(another, callback);
  await failToFinish(browserToken, callback);
  await failToFinish(browserToken, callback);
  const late = await returnAs('eve');
  harness.clock.advance(10 * MINUTE_MS);
  await failToFinish(late.browserToken, late.callback);
  await expectReasons('other_browser', 'not_invited', 'replayed', 'authorization_expired');
});

it('a failed sign-in with single sign-on is not recorded for a response to a sign-in that never started, or started in another team', async () => {
  const { browserToken, callback } = await returnAs('eve');
  const unknown = new URL(callback);
  unknown.searchParams.set('state', 'A'.repeat(43));
  await failToFinish(browserToken, unknown);
  const other = await createSsoTeam(harness);
  await failToFinish(browserToken, callback, { teamId: other.teamId });
  await failToFinish(browserToken, callback);
  await expectReasons('not_invited');
  expect(entries.filter(({ team_id }) => team_id === other.teamId)).not.toContainEqual(
    expect.objectContaining({ action: 'team.sso_sign_in_failed' }),
  );
  await other.provider.stop();
});

it('a failed sign-in with single sign-on is recorded a few times at once from one network, and still from others', async () => {
  for (let count = 0; count < MANY; count++) {
    const { authorization_url, browser_token } = await start(harness, emailOf('eve'));
    const callback = deniedCallback(authorization_url);
    await failToFinish(browser_token, callback);
  }
  const { authorization_url, browser_token } = await start(harness, emailOf('eve'));
  await failToFinish(browser_token, deniedCallback(authorization_url), { address: '203.0.113.9' });
  await publish();
  await eventually('the failure from another network is published', () =>
    failures().some(({ context }) => context.ip === '203.0.113.9'),
  );
  expect(failures()).toHaveLength(7);
});

/** What anyone can send who starts a sign-in. */
function deniedCallback(authorizationUrl: string): URL {
  const { searchParams } = new URL(authorizationUrl);
  const callback = new URL('http://localhost:3000/sso/callback');
  callback.searchParams.set('state', searchParams.get('state') as string);
  callback.searchParams.set('error', 'access_denied');
  return callback;
}

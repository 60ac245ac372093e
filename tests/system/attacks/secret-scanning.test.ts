import { generateKeyPairSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import {
  SECRET_SCANNING_LIMITS,
  SECRET_SCANNING_PATH,
  type SecretScanningFeedback,
} from '@tollgate/contracts/applications/secret-scanning';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import { BODY_LIMITS } from '@tollgate/contracts/platform/body-limits';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { parseApiKey } from '@tollgate/security/api-key';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../support/platform/admin-client.ts';
import { scannerHeaders } from '../../support/platform/secret-scanner.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';

const URL_OF_LEAK = 'https://github.com/example/shop/blob/main/config.yml';

let platform: SharedPlatform;
let application: TestApplication;
let owner: AdminCaller;

beforeAll(async () => {
  platform = await joinSharedPlatform();
});
afterAll(() => platform?.leave());

async function startTeam(): Promise<void> {
  const team = await platform.createTeam();
  application = await platform.createApplication(team);
  owner = platform.admin.as(team.owner.session);
}

const alertOf = (token: string, url = URL_OF_LEAK) => ({
  token,
  type: 'tollgate_api_key',
  url,
  source: 'commit',
});

function post(body: string | Buffer, headers: Record<string, string>): Promise<Response> {
  return fetch(`${platform.baseUrl.live}${SECRET_SCANNING_PATH}`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

async function report(...alerts: ReturnType<typeof alertOf>[]): Promise<SecretScanningFeedback[]> {
  const body = JSON.stringify(alerts);
  const response = await post(body, scannerHeaders(platform.scannerPrivateKey, body));
  expect(response.status).toBe(200);
  return (await response.json()) as SecretScanningFeedback[];
}

/** 404 shows that the key works: the payment does not exist. */
async function statusWith(token: string, environment: 'live' | 'sandbox' = 'sandbox'): Promise<number> {
  const response = await fetch(`${platform.baseUrl[environment]}/v1/payments/x`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  return response.status;
}

/** The six digits that make a forged key well-formed: anyone can compute them. */
function withChecksum(text: string): string {
  const digits = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
  let rest = crc32(text);
  let checksum = '';
  for (let index = 0; index < 6; index++) {
    checksum = `${digits[rest % 62]}${checksum}`;
    rest = Math.floor(rest / 62);
  }
  return text + checksum;
}

async function keyOf(keyId: string) {
  return (await owner.call(ADMIN_ROUTES.getKey, { key_id: keyId })).body;
}

async function auditRecords(action: AuditRecord['action']): Promise<AuditRecord[]> {
  return (await owner.call(ADMIN_ROUTES.listRecords, { action })).body.data;
}

async function setPolicy(policy: 'revoke' | 'flag'): Promise<void> {
  const { version } = (await owner.call(ADMIN_ROUTES.getLeakedKeyPolicy, {})).body;
  const response = await owner.call(ADMIN_ROUTES.setLeakedKeyPolicy, { policy }, { ifMatch: version });
  expect(response.status).toBe(200);
}

describe('a true leak', () => {
  beforeEach(startTeam);

  it('a true leak revokes the key on every listener, and shows and audits where it was found', async () => {
    const { sandbox, live } = application.keys;
    expect(await statusWith(live, 'live')).toBe(404);
    expect(await report(alertOf(live))).toEqual([
      { token_raw: live, token_type: 'tollgate_api_key', label: 'true_positive' },
    ]);
    await expect.poll(() => statusWith(live, 'live')).toBe(401);
    expect(await statusWith(sandbox)).toBe(404);

    const leaked = { url: URL_OF_LEAK, source: 'commit', handled_at: null, at: expect.any(String) };
    expect(await keyOf(application.keyIds.live)).toMatchObject({ status: 'revoked', leaked });
    await expect.poll(() => auditRecords('key.leaked')).toHaveLength(1);
    const [record] = await auditRecords('key.leaked');
    expect(record).toMatchObject({
      environment: 'live',
      actor: { type: 'system', id: null },
      target: { type: 'key', id: application.keyIds.live },
      changes: { leaked: { before: null, after: leaked }, revoked_at: { before: null } },
    });
    expect(JSON.stringify(record)).not.toContain(live);
  });

  it('a true leak only flags the key under the policy "flag", until a member marks it as handled', async () => {
    await setPolicy('flag');
    const { sandbox } = application.keys;
    const key_id = application.keyIds.sandbox;
    await report(alertOf(sandbox));
    expect(await keyOf(key_id)).toMatchObject({ status: 'active', leaked: { handled_at: null } });
    expect(await statusWith(sandbox)).toBe(404);
    const unhandled = () => owner.call(ADMIN_ROUTES.listTeamKeys, { leak: 'unhandled' });
    expect((await unhandled()).body.data).toMatchObject([{ id: key_id }]);

    const handled = (await owner.call(ADMIN_ROUTES.handleLeak, { key_id })).body;
    expect(handled.leaked?.handled_at).toEqual(expect.any(String));
    expect((await unhandled()).body.data).toEqual([]);
    expect(await statusWith(sandbox)).toBe(404);
    await expect.poll(() => auditRecords('key.leak_handled')).toHaveLength(1);
    await expect.poll(() => auditRecords('team.leaked_key_policy_changed')).toHaveLength(1);
  });

  it('a true leak revokes an API token under every policy', async () => {
    await setPolicy('flag');
    const created = (await owner.call(ADMIN_ROUTES.createToken, { name: 'CI', role: 'viewer' })).body;
    const token = shownOnce(created.secret);
    const machine = platform.admin.as(token);
    expect((await machine.call(ADMIN_ROUTES.listApplications, {})).status).toBe(200);
    expect(await report(alertOf(token))).toMatchObject([{ label: 'true_positive' }]);
    const rejected = await machine.call(ADMIN_ROUTES.listApplications, {});
    expect(rejected.problem?.code).toBe('invalid-api-token');
    const shown = (await owner.call(ADMIN_ROUTES.getToken, { token_id: created.id })).body;
    expect(shown).toMatchObject({ status: 'revoked', leaked: { url: URL_OF_LEAK, source: 'commit' } });
    await expect.poll(() => auditRecords('token.leaked')).toHaveLength(1);
  });

  it('a true leak changes nothing when it is replayed', async () => {
    await setPolicy('flag');
    const body = JSON.stringify([alertOf(application.keys.sandbox)]);
    const headers = scannerHeaders(platform.scannerPrivateKey, body);
    const key_id = application.keyIds.sandbox;
    expect((await post(body, headers)).status).toBe(200);
    await owner.call(ADMIN_ROUTES.handleLeak, { key_id });
    await setPolicy('revoke');
    const before = await keyOf(key_id);
    expect((await post(body, headers)).status).toBe(200);
    expect(await keyOf(key_id)).toEqual(before);
    expect(await statusWith(application.keys.sandbox)).toBe(404);
  });
});

describe('a forged alert', () => {
  beforeAll(startTeam);

  const stranger = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  it.each<[what: string, headers: (body: string) => Record<string, string>]>([
    ['is not signed', () => ({})],
    ['is signed with another key', (body) => scannerHeaders(stranger(), body)],
    ['names an unknown key', (body) => scannerHeaders(platform.scannerPrivateKey, body, 'other')],
    ['is signed over another body', (body) => scannerHeaders(platform.scannerPrivateKey, `${body} `)],
    [
      'has an empty signature',
      (body) => ({ ...scannerHeaders(stranger(), body), 'github-public-key-signature': '' }),
    ],
  ])('a forged alert that %s is rejected and changes nothing', async (_what, headersOf) => {
    const body = JSON.stringify([alertOf(application.keys.sandbox)]);
    const response = await post(body, headersOf(body));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'invalid-signature' });
    expect(await statusWith(application.keys.sandbox)).toBe(404);
    expect(await keyOf(application.keyIds.sandbox)).toMatchObject({ status: 'active', leaked: null });
  });

  it('a forged alert with the lookup id of a key and another secret revokes nothing', async () => {
    const { sandbox } = application.keys;
    const { lookup_id } = await keyOf(application.keyIds.sandbox);
    const forged = withChecksum(`tg_sandbox_${lookup_id}_${'A'.repeat(32)}`);
    expect(parseApiKey(forged)).toEqual({ environment: 'sandbox', lookupId: lookup_id });
    expect(await report(alertOf(forged))).toMatchObject([{ label: 'false_positive' }]);
    expect(await statusWith(sandbox)).toBe(404);
    expect(await keyOf(application.keyIds.sandbox)).toMatchObject({ leaked: null });
  });

  it('a forged alert with text that is no credential revokes nothing', async () => {
    const { sandbox } = application.keys;
    const labels = (await report(alertOf(sandbox.slice(0, -1)), alertOf(''), alertOf('AKIA'))).map(
      ({ label }) => label,
    );
    expect(labels).toEqual(['false_positive', 'false_positive', 'false_positive']);
    expect(await statusWith(sandbox)).toBe(404);
  });

  it('a forged alert that is too large is rejected before its signature is verified', async () => {
    const body = Buffer.alloc(BODY_LIMITS.secretScanning + 1, 0x20);
    const response = await post(body, scannerHeaders(stranger(), body));
    expect(response.status).toBe(413);
    await response.body?.cancel();
  });

  it('a forged alert with too many alerts is rejected', async () => {
    const body = JSON.stringify(
      Array.from({ length: SECRET_SCANNING_LIMITS.alerts + 1 }, () => alertOf('x')),
    );
    const response = await post(body, scannerHeaders(platform.scannerPrivateKey, body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid-request' });
  });
});

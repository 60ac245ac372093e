import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdminClient } from '@tollgate/admin-client/admin-client';
import { connectBus } from '@tollgate/bus/connection';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { createApplication, createKey, listKeys, revokeKey } from '@tollgate/contracts/applications/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { startMemberSession } from '@tollgate/launcher/first-run/member-session';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Installation, startInstallation } from '../../support/platform/installation.ts';
import { runTollgate } from '../../support/platform/run-tollgate.ts';
import { report } from '../../support/report.ts';

let folder: string;
let installation: Installation;

const path = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-restored-'));
  installation = await startInstallation(path('data'));
}, 120_000);
afterAll(async () => {
  await installation?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The admin API and the RPCs of applications, as the owner of the installation. */
async function asOwner<T>(use: (owner: Awaited<ReturnType<typeof signIn>>) => Promise<T>): Promise<T> {
  const owner = await signIn();
  try {
    return await use(owner);
  } finally {
    await owner.close();
  }
}

async function signIn() {
  const { admin } = JSON.parse(readFileSync(path('data/quickstart.json'), 'utf8'));
  const bus = await connectBus({ url: installation.urls.natsUrlOf('launcher'), name: 'launcher' });
  const { token, call } = await startMemberSession(bus, admin);
  const api = createAdminClient({ baseUrl: admin.base_url, token });
  return { api, call, close: () => bus.close() };
}

async function exportAuditLog(name: string): Promise<string> {
  return asOwner(async ({ api }) => {
    const keys = await api.call(ADMIN_ROUTES.listPublicKeys, {});
    writeFileSync(path('audit-keys.json'), JSON.stringify(keys));
    const period = { from: '2026-01-01T00:00:00Z', to: new Date().toISOString() };
    const text = await (await api.open(AUDIT_EXPORT_PATH, period)).text();
    writeFileSync(path(name), text);
    return text;
  });
}

const verifyAudit = (name: string, ...options: string[]) =>
  runTollgate(['verify-audit', path(name), '--public-key', path('audit-keys.json'), ...options]);

const isAccepted = async (key: string) =>
  (await apiClient(installation.sandbox.baseUrl, key).read('none')).status === 404;

async function restart(): Promise<number> {
  const startedAt = performance.now();
  installation = await startInstallation(path('data'));
  return performance.now() - startedAt;
}

it('a restored installation keeps keys revoked, records the restore, and explains earlier tree heads', async () => {
  const { keyId, applicationId, doomed } = await asOwner(async ({ call }) => {
    const { id } = await call(createApplication, { name: 'Doomed', scopes: ['payment:read'] });
    const key = await call(createKey, { application_id: id, name: 'doomed', environment: 'sandbox' });
    return { applicationId: id, keyId: key.id, doomed: shownOnce(key.secret) };
  });
  await eventually('the key is accepted', () => isAccepted(doomed));
  const backedUp = await runTollgate(['backup', '--to', path('backup'), '--data-dir', path('data')]);
  expect(backedUp).toMatchObject({ code: 0 });

  await asOwner(({ call }) => call(revokeKey, { key_id: keyId }));
  await eventually('the key is rejected', async () => !(await isAccepted(doomed)));
  // Its last tree head is signed now, after the backup.
  const before = await exportAuditLog('before.ndjson');

  const restore = ['restore', '--from', path('backup'), '--data-dir', path('data')];
  const rejected = await runTollgate(restore);
  expect(rejected.err).toContain('Tollgate is already running');
  expect(rejected.code).toBe(2);

  await installation.stop();
  const restoringAt = performance.now();
  expect(await runTollgate(restore)).toMatchObject({ code: 0, err: '' });
  const restoredMs = performance.now() - restoringAt;
  const startedMs = await restart();
  report(
    `restored in ${(restoredMs / 1000).toFixed(1)} s, first request ${(startedMs / 1000).toFixed(1)} s later`,
  );

  // As at any time before: the gateway never learns that the database went back.
  expect(await isAccepted(doomed)).toBe(false);
  await eventually(
    'the database has the revocation again',
    () =>
      asOwner(async ({ call }) => {
        const { data } = await call(listKeys, { application_id: applicationId });
        return data.find(({ id }) => id === keyId)?.status === 'revoked';
      }),
    { timeoutMs: 20_000 },
  );
  let after = '';
  await eventually(
    'the restore is recorded',
    async () => {
      after = await exportAuditLog('after.ndjson').catch(() => '');
      return after.includes('"log.restored"');
    },
    { timeoutMs: 60_000, intervalMs: 1_000 },
  );
  const witness = before
    .split('\n')
    .filter((line) => line.includes('"type":"head"'))
    .join('\n');
  writeFileSync(path('witness.ndjson'), witness);
  const verified = await verifyAudit('after.ndjson', '--witness', path('witness.ndjson'));
  expect(verified.out).toMatch(/restore +record \d+: the log was restored from a backup to record \d+/);
  expect(verified.out).toContain('INTACT');
  expect(verified.code).toBe(0);

  // Now NATS loses its store, and applications fills the bucket from the restored database.
  await installation.stop();
  rmSync(path('data/nats'), { recursive: true });
  await restart();
  expect(await isAccepted(doomed)).toBe(false);
  expect(await isAccepted(installation.sandbox.apiKey)).toBe(true);
  expect(readdirSync(path('data')).filter((name) => name.startsWith('mongodb.before-'))).toHaveLength(1);
}, 240_000);

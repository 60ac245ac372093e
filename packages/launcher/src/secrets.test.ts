import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseKeyring } from '@tollgate/security/keyring';
import { beforeEach, expect, test } from 'vitest';
import { createDataDir, type DataPaths, dataPaths } from './data-dir.ts';
import { loadSecrets } from './secrets.ts';

let paths: DataPaths;
beforeEach(async () => {
  paths = dataPaths(join(mkdtempSync(join(tmpdir(), 'tollgate-secrets-')), 'data'));
  await createDataDir(paths);
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('secrets are generated once: a second start reads the same ones', async () => {
  const first = await loadSecrets(paths);
  expect(await loadSecrets(paths)).toEqual(first);
});

test('only the owner of the file may read the secrets', async () => {
  await loadSecrets(paths);
  expect(modeOf(paths.secrets)).toBe('600');
  expect(modeOf(paths.dataDir)).toBe('700');
});

test('secrets have the formats that the services read', async () => {
  const secrets = await loadSecrets(paths);
  for (const name of [
    'API_KEY_PEPPERS',
    'INTERNAL_SIGNING_KEYS',
    'ACCOUNTS_ENCRYPTION_KEYS',
    'WEBHOOK_ENCRYPTION_KEYS',
    'SESSION_COOKIE_KEYS',
  ] as const) {
    expect(parseKeyring(secrets[name]).current.key).toHaveLength(32);
  }
  const publicKey = createPublicKey(createPrivateKey(secrets.ACTOR_SIGNING_KEY));
  expect(publicKey.export({ type: 'spki', format: 'pem' })).toBe(secrets.ACTOR_PUBLIC_KEYS);
  const [, auditKey = ''] = secrets.AUDIT_SIGNING_KEYS.split(':');
  const audit = createPrivateKey({ key: Buffer.from(auditKey, 'base64'), format: 'der', type: 'pkcs8' });
  expect(audit.asymmetricKeyType).toBe('ed25519');
});

test('two installations share no secret', async () => {
  const first = await loadSecrets(paths);
  rmSync(paths.secrets);
  const second = await loadSecrets(paths);
  expect(second.API_KEY_PEPPERS).not.toBe(first.API_KEY_PEPPERS);
  expect(second.mongodb.password).not.toBe(first.mongodb.password);
});

test('data without its secrets is rejected, and no new ones are generated', async () => {
  mkdirSync(paths.mongodbDir);
  writeFileSync(join(paths.mongodbDir, 'data.db'), '');

  await expect(loadSecrets(paths)).rejects.toThrow(`${paths.secrets} is missing`);
  expect(() => readFileSync(paths.secrets)).toThrow('ENOENT');
});

test('a file without the key of accounts is rejected: a new key could not decrypt existing data', async () => {
  const { ACCOUNTS_ENCRYPTION_KEYS: _, ...corrupted } = await loadSecrets(paths);
  writeFileSync(paths.secrets, JSON.stringify(corrupted));

  await expect(loadSecrets(paths)).rejects.toThrow('ACCOUNTS_ENCRYPTION_KEYS');
});

test('incomplete secrets are rejected by name and never printed', async () => {
  const secrets = await loadSecrets(paths);
  writeFileSync(paths.secrets, JSON.stringify({ ...secrets, API_KEY_PEPPERS: undefined }));

  const error = await loadSecrets(paths).catch((error: unknown) => error as Error);

  expect(String(error)).toContain('incomplete');
  expect(String(error)).not.toContain(secrets.INTERNAL_SIGNING_KEYS);
});

test('the folder of a development version is rejected, and stays as it is', async () => {
  const { format: _, ...earlier } = await loadSecrets(paths);
  writeFileSync(paths.secrets, JSON.stringify(earlier));

  await expect(loadSecrets(paths)).rejects.toThrow(
    `The data folder ${paths.dataDir} is from a development version before 1.0.0, which no release can read.`,
  );
  expect(JSON.parse(readFileSync(paths.secrets, 'utf8'))).toEqual(earlier);
});

test('a file that is not JSON is rejected', async () => {
  writeFileSync(paths.secrets, '{');
  await expect(loadSecrets(paths)).rejects.toThrow('is not valid JSON');
});

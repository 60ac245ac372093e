import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDir } from '../checkout.ts';
import { findNatsServer } from './find-nats-server.ts';
import { natsServerConfiguration } from './server-configuration.ts';
import { isAtLeast, OLDEST_SUPPORTED, parseServerVersion } from './server-version.ts';

const settings = {
  port: 4222,
  storeDir: '/data/with "quotes"',
  authorization: `authorization { user: tollgate, password: ${JSON.stringify('a$b"c')} }`,
};

test('a server before 2.10 gets no sync_interval, which would prevent its start', () => {
  expect(natsServerConfiguration(settings, { major: 2, minor: 9, patch: 25 })).not.toContain('sync_interval');
});

test('a server from 2.10 on syncs every message before it acknowledges', () => {
  for (const minor of [10, 11, 12]) {
    expect(natsServerConfiguration(settings, { major: 2, minor, patch: 0 })).toContain(
      'sync_interval: always',
    );
  }
});

test("this machine's server accepts the configuration for its version", async () => {
  const server = await findNatsServer({
    env: process.env,
    cacheDir: cacheDir(process.env),
    say: () => undefined,
  });
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nats-config-'));
  const file = join(folder, 'nats-server.conf');
  writeFileSync(file, natsServerConfiguration({ ...settings, storeDir: folder }, server.version));

  const { status, stderr } = spawnSync(server.path, ['--config', file, '-t'], { encoding: 'utf8' });

  expect(stderr).toContain('is valid');
  expect(status).toBe(0);
});

test.each([
  ['nats-server: v2.9.10', { major: 2, minor: 9, patch: 10 }],
  ['nats-server: v2.12.8\n', { major: 2, minor: 12, patch: 8 }],
  ['nats-server: v2.14.0-RC.1', { major: 2, minor: 14, patch: 0 }],
  ['nats-streaming-server version 0.25.6, nats-server: unknown', null],
  ['', null],
])('%j is parsed as version %j', (text, version) => {
  expect(parseServerVersion(text)).toEqual(version);
});

test('versions are compared as numbers', () => {
  expect(isAtLeast({ major: 2, minor: 12, patch: 0 }, OLDEST_SUPPORTED)).toBe(true);
  expect(isAtLeast({ major: 2, minor: 9, patch: 9 }, OLDEST_SUPPORTED)).toBe(false);
  expect(isAtLeast({ major: 2, minor: 2, patch: 30 }, OLDEST_SUPPORTED)).toBe(false);
});

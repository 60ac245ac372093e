import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings, withoutServerFiles } from './settings.ts';

test('the launcher reads the addresses of servers from files, whose paths its processes do not get', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { LANG: 'C', NATS_URL_FILE: join(folder, 'nats'), MONGODB_URL_FILE: join(folder, 'mongodb') };
  writeFileSync(env.NATS_URL_FILE, 'nats://a:b@c:4222\n');
  writeFileSync(env.MONGODB_URL_FILE, 'mongodb://a:b@c:27017\n');
  expect(readSettings(env)).toMatchObject({
    natsUrl: 'nats://a:b@c:4222',
    mongodbUrl: 'mongodb://a:b@c:27017',
  });
  expect(withoutServerFiles(env)).toEqual({ LANG: 'C' });
});

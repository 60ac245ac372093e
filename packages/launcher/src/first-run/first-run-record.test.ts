import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@tollgate/contracts/platform/ids';
import { beforeEach, expect, test } from 'vitest';
import { openFirstRunRecord } from './first-run-record.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'tollgate-first-run-')), 'first-run.json');
});

test('the next start finds each recorded step', async () => {
  const first = await openFirstRunRecord(path);
  const applicationId = newId('application');
  await first.add({ application_id: applicationId });
  await first.add({ live_api_key: 'a key' });

  const second = await openFirstRunRecord(path);
  expect(second.read()).toEqual({ application_id: applicationId, live_api_key: 'a key' });

  await second.forget();
  expect((await openFirstRunRecord(path)).read()).toEqual({});
});

test('a corrupted record is rejected with its path', async () => {
  writeFileSync(path, JSON.stringify({ application_id: 'none' }));
  await expect(openFirstRunRecord(path)).rejects.toThrow(`${path} is corrupted`);
});

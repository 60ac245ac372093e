import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@tollgate/contracts/ids';
import { beforeEach, expect, test } from 'vitest';
import { openFirstRunRecord } from './first-run-record.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'tollgate-first-run-')), 'first-run.json');
});

test('the next start finds each recorded step', async () => {
  const first = await openFirstRunRecord(path, 'data');
  const applicationId = newId('application');
  await first.add({ application_id: applicationId });
  await first.add({ live_api_key: 'a key' });

  const second = await openFirstRunRecord(path, 'data');
  expect(second.read()).toEqual({ application_id: applicationId, live_api_key: 'a key' });

  await second.forget();
  expect((await openFirstRunRecord(path, 'data')).read()).toEqual({});
});

test('data from a version without members is rejected with the folder and a remedy', async () => {
  writeFileSync(path, JSON.stringify({ team_id: newId('team'), member_id: newId('member') }));

  await expect(openFirstRunRecord(path, '/home/me/.tollgate')).rejects.toThrow(
    /\/home\/me\/\.tollgate is from a version without members[\s\S]*TOLLGATE_DATA_DIR=/,
  );
});

test('a corrupted record is rejected with its path', async () => {
  writeFileSync(path, JSON.stringify({ application_id: 'none' }));
  await expect(openFirstRunRecord(path, 'data')).rejects.toThrow(`${path} is corrupted`);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Document, documentOf, encode, int32 } from '../src/bson/document.ts';
import { openDataFile, openForReading } from '../src/storage/data-file.ts';
import { readIndexSpecification } from '../src/storage/index-specification.ts';
import { startLogEmptying } from '../src/storage/log-emptying.ts';
import { openStore } from '../src/storage/store.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const SECRET = 'Personal data of Ada';
const DOCUMENTS = 300;
/** Some documents fill a part of a page, others several. */
const textOf = (n: number) => `${SECRET} ${n} `.padEnd((n * 37) % 9_000, '.');
const REFERENCE_INDEX = documentOf({ key: documentOf({ reference: int32(1) }), name: 'reference_1' });

function occurrences(folder: string): number {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  return files.reduce((sum, content) => sum + content.split(SECRET).length - 1, 0);
}

function withFakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test('content of changed and removed documents is in no file once the log is emptied', () => {
  withFakeTimers();
  const folder = temporaryFolder();
  const store = openStore({ path: join(folder, 'data.db'), fsync: false });
  const emptying = startLogEmptying(store);
  const payments = store.createCollection('test', 'payments');
  store.createIndex(payments, readIndexSpecification(REFERENCE_INDEX));
  const stored: { rid: number; document: Document }[] = [];
  for (let n = 0; n < DOCUMENTS; n += 1) {
    const document = documentOf({ _id: `pay_${n}`, reference: `${SECRET} ${n}`, purpose: textOf(n) });
    stored.push({ rid: payments.insert(document, encode(document)), document });
  }
  store.flush();
  expect(occurrences(folder)).toBeGreaterThan(DOCUMENTS);

  for (const [n, { rid, document }] of stored.entries()) {
    const erased = documentOf({ _id: `pay_${n}`, reference: null, purpose: null });
    if (n % 3 === 0) payments.remove(rid, document);
    else payments.replace(rid, document, erased, encode(erased));
  }
  store.flush();
  vi.advanceTimersByTime(30_000);

  expect(occurrences(folder)).toBe(0);
  expect(payments.findDisagreements()).toEqual([]);
  emptying.stop();
  store.close();
});

test('content that a read kept in the log is in no file once the read has ended, also without further writes', () => {
  withFakeTimers();
  const folder = temporaryFolder();
  const path = join(folder, 'data.db');
  const store = openStore({ path, fsync: false });
  const emptying = startLogEmptying(store);
  const payments = store.createCollection('test', 'payments');
  const document = documentOf({ _id: 'pay_1', purpose: SECRET });
  const rid = payments.insert(document, encode(document));
  store.flush();
  const reader = openForReading(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM collections').get();
  payments.remove(rid, document);
  store.flush();
  vi.advanceTimersByTime(30_000);
  expect(occurrences(folder)).toBeGreaterThan(0);

  reader.exec('COMMIT');
  vi.advanceTimersByTime(30_000);

  expect(occurrences(folder)).toBe(0);
  reader.close();
  emptying.stop();
  store.close();
});

test('a failed attempt to empty the log does not change how long the server waits for a lock', () => {
  const { database, emptyLog, close } = openDataFile({
    path: join(temporaryFolder(), 'data.db'),
    fsync: false,
  });
  const timeoutMs = () => database.prepare('PRAGMA busy_timeout').get()?.['timeout'];
  const before = timeoutMs();
  database.exec('BEGIN; DELETE FROM collections');
  expect(emptyLog).toThrow('locked');
  expect(timeoutMs()).toBe(before);
  database.exec('COMMIT');
  close();
});

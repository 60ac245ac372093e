import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Document, decode, documentOf, encode, int32 } from '../src/bson/document.ts';
import { readIndexSpecification } from '../src/storage/index-specification.ts';
import { openStore } from '../src/storage/store.ts';
import { removeExpired, startExpiry } from '../src/ttl.ts';
import { temporaryFolder } from './support/server-under-test.ts';

const NOW = Date.UTC(2030, 0, 1);
const secondsAgo = (seconds: number) => new Date(NOW - seconds * 1000);

/** A store with a collection, and its TTL indexes: on a field, with a number of seconds and a partial filter. */
function storeWith(...indexes: [field: string, seconds: number, partialFilterExpression?: Document][]) {
  const store = openStore({ path: join(temporaryFolder(), 'data.db'), fsync: false });
  const sessions = store.createCollection('test', 'sessions');
  for (const [field, seconds, partialFilterExpression] of indexes) {
    const key = documentOf({ [field]: int32(1) });
    const ttl = documentOf({ key, name: field, expireAfterSeconds: int32(seconds) });
    if (partialFilterExpression) ttl.set('partialFilterExpression', partialFilterExpression);
    store.createIndex(sessions, readIndexSpecification(ttl));
  }
  return { store, sessions };
}

test('a TTL index removes exactly the expired documents that it contains', () => {
  const { store, sessions } = storeWith(['at', 60], ['until', 0, documentOf({ done: true })]);
  const documents = [
    documentOf({ _id: 'done and over', done: true, until: secondsAgo(1) }),
    documentOf({ _id: 'over but not done', done: false, until: secondsAgo(1) }),
    documentOf({ _id: 'old', at: secondsAgo(61) }),
    documentOf({ _id: 'young', at: secondsAgo(59) }),
    documentOf({ _id: 'no date', at: 'yesterday' }),
    documentOf({ _id: 'missing' }),
    documentOf({ _id: 'earliest of several', at: [secondsAgo(1), secondsAgo(100)] }),
    documentOf({ _id: 'number', at: int32(1) }),
  ];
  for (const document of documents) sessions.insert(document, encode(document));

  removeExpired(store, NOW);

  const left = [...sessions.scan(1)].map(([, bytes]) => decode(bytes).get('_id'));
  expect(left).toEqual(['over but not done', 'young', 'no date', 'missing', 'number']);
  expect(sessions.findDisagreements()).toEqual([]);
  store.close();
});

test.each<Document>([
  documentOf({ done: true }),
  documentOf({ gone: documentOf({ $in: [null, int32(1)] }) }),
  documentOf({ $or: [documentOf({ done: true }), documentOf({ gone: int32(1) })] }),
])('a TTL index with the partial filter %j removes the documents inside it', (partialFilterExpression) => {
  const { store, sessions } = storeWith(['at', 60, partialFilterExpression]);
  for (const document of [
    documentOf({ _id: 'inside', done: true, at: secondsAgo(61) }),
    documentOf({ _id: 'outside', done: int32(1), gone: int32(2), at: secondsAgo(61) }),
  ]) {
    sessions.insert(document, encode(document));
  }
  removeExpired(store, NOW);
  const left = [...sessions.scan(1)].map(([, bytes]) => decode(bytes).get('_id'));
  expect(left).toEqual(['outside']);
  store.close();
});

test('a TTL index causes a warning if a removal fails, and continues with the next removal', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => {
    vi.useRealTimers();
    warn.mockRestore();
  });
  const { store } = storeWith();
  const databaseNames = vi.spyOn(store, 'databaseNames').mockImplementation(() => {
    throw new Error('database or disk is full');
  });
  const expiry = startExpiry(store);
  for (const attempts of [1, 2]) {
    vi.advanceTimersByTime(30_000);
    await setImmediate();
    expect(databaseNames).toHaveBeenCalledTimes(attempts);
  }
  expect(warn).toHaveBeenLastCalledWith(
    'Expired documents could not be removed: Error: database or disk is full',
    'EmbeddedMongodbWarning',
  );
  expiry.stop();
  store.close();
});

test('a TTL index removes any number of expired documents within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { store, sessions } = storeWith(['at', 60]);
  for (let n = 0; n < 3000; n++) {
    const document = documentOf({ _id: int32(n), at: secondsAgo(n < 2900 ? 61 : 10) });
    sessions.insert(document, encode(document));
  }
  const expiry = startExpiry(store, () => NOW);
  vi.advanceTimersByTime(30_000);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(sessions.count()).toBe(100);
  expect(sessions.findDisagreements()).toEqual([]);
  expiry.stop();
  store.close();
});

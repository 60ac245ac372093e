import { Binary, type Document, UUID } from 'bson';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ServerUnderTest, startForTest } from './support/server-under-test.ts';
import { exchange, opMsg } from './support/wire-client.ts';

/** Options that drivers set themselves. The tests send bytes, so that no driver replaces the options. */
describe('options that drivers set', () => {
  let under: ServerUnderTest;

  beforeAll(async () => {
    under = await startForTest();
  });

  const replyTo = (options: Document) =>
    exchange(under.server.port, opMsg({ find: 'things', $db: 'test', ...options }));
  const id = new Binary(new UUID().buffer, Binary.SUBTYPE_UUID);

  test.each<[Document, number]>([
    [{ lsid: 'x' }, 14],
    [{ lsid: {} }, 40414],
    [{ lsid: { id: null } }, 40414],
    [{ lsid: { id: 'x' } }, 14],
    [{ lsid: { id: new Binary(Buffer.alloc(16)) } }, 14],
    [{ lsid: { id, foo: 1 } }, 40415],
    [{ lsid: { id }, txnNumber: 1 }, 20],
    [{ startTransaction: true }, 20],
    [{ $readPreference: 'x' }, 14],
    [{ apiStrict: true }, 72],
    [{ apiDeprecationErrors: true }, 72],
    [{ apiVersion: '2' }, 322],
    [{ apiVersion: '1', apiStrict: 'x' }, 14],
    [{ apiVersion: '1', apiStrict: true }, 238],
  ])('%j is rejected with %i', async (options, code) => {
    expect(await replyTo(options)).toMatchObject({ ok: 0, code });
  });

  test.each<Document>([
    { lsid: { id } },
    { lsid: { id, uid: new Binary(Buffer.alloc(32)) } },
    { lsid: null },
    { $readPreference: { mode: 'primaryPreferred' } },
    { $clusterTime: {} },
    { apiVersion: '1' },
    { apiVersion: '1', apiStrict: false, apiDeprecationErrors: true },
  ])('%j is accepted', async (options) => {
    expect(await replyTo(options)).toMatchObject({ ok: 1 });
  });
});

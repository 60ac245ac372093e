import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, double, expectFields, expectSame } from './support/values.ts';

const ground = prepareGround('collections');

const names = async (filter: Document = {}) =>
  (await ground.database.listCollections(filter, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .sort();

describe('collections', () => {
  test('collections are created by the first insert, upsert, or index', async () => {
    await ground.database.collection('a').insertOne({});
    await ground.database.collection('b').updateOne({}, { $set: { x: 1 } }, { upsert: true });
    await ground.database.collection('c').createIndex({ x: 1 });
    await ground.database.collection('d').updateOne({}, { $set: { x: 1 } });
    await ground.database.collection('e').find().toArray();
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('collections can be created again without an error', async () => {
    expectFields(await ground.command({ create: 'things' }), { ok: double(1) });
    await ground.things.insertOne({ _id: 1 as never });
    expectFields(await ground.command({ create: 'things' }), { ok: double(1) });
    expectSame(await ground.stored(), [{ _id: 1 }]);
  });

  test.each<[Document, number]>([
    [{ create: '' }, 73],
    [{ create: 'a$b' }, 73],
    [{ create: 'a..b' }, 73],
    [{ create: 'a'.repeat(256) }, 73],
    [{ create: 'system.foo' }, 73],
  ])('%j is rejected with %i', async (command, code) => {
    expect(await codeOf(ground.command(command))).toBe(code);
    expect(await names()).toEqual([]);
  });

  test('collections are listed with their _id index', async () => {
    await ground.command({ create: 'things' });
    const [listed] = await ground.database.listCollections().toArray();
    expect(listed).toMatchObject({ name: 'things', type: 'collection', info: { readOnly: false } });
    const { options, idIndex } = listed as Document;
    expectSame(options, {});
    expectSame(idIndex, { v: 2, key: { _id: 1 }, name: '_id_' });
  });

  test('collections can be filtered in the list', async () => {
    for (const name of ['aa', 'ab', 'b']) await ground.command({ create: name });
    expect(await names({ name: 'aa' })).toEqual(['aa']);
    expect(await names({ name: /^a/ })).toEqual(['aa', 'ab']);
    expect(await names({ type: 'view' })).toEqual([]);
    const { cursor } = await ground.command({ listCollections: 1, nameOnly: true, filter: { name: 'b' } });
    expectSame(cursor.firstBatch, [{ name: 'b', type: 'collection' }]);
  });

  test('collections are dropped with their contents, and dropping a missing collection succeeds', async () => {
    await ground.things.insertOne({});
    await ground.things.createIndex({ a: 1 });
    expectFields(await ground.command({ drop: 'things' }), {
      nIndexesWas: 2,
      ns: 'conformance_collections.things',
    });
    expect(await names()).toEqual([]);
    expectFields(await ground.command({ drop: 'things' }), { ok: double(1) });
  });

  test('collections add their database to the list of databases, and are dropped with it', async () => {
    const listed = async () =>
      (await ground.admin({ listDatabases: 1, filter: { name: 'conformance_collections' } })).databases;
    await ground.things.insertOne({});
    const [database] = await listed();
    expectFields(database, { name: 'conformance_collections', empty: false });
    expectFields(await ground.command({ dropDatabase: 1 }), { dropped: 'conformance_collections' });
    expectSame(await listed(), []);
    expect(await codeOf(ground.command({ listDatabases: 1 }))).toBe(13);
  });
});

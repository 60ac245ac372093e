import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, double, expectFields, expectSame } from './support/values.ts';

const ground = prepareGround('collections');

const names = async (filter: Document = {}) =>
  (await ground.database.listCollections(filter, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .sort();

const optionsOf = async (name: string) =>
  ((await ground.database.listCollections({ name }).toArray())[0] as Document).options as Document;

describe('collections', () => {
  test('come with the first insert, upsert or index', async () => {
    await ground.database.collection('a').insertOne({});
    await ground.database.collection('b').updateOne({}, { $set: { x: 1 } }, { upsert: true });
    await ground.database.collection('c').createIndex({ x: 1 });
    await ground.database.collection('d').updateOne({}, { $set: { x: 1 } });
    await ground.database.collection('e').find().toArray();
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('are created, again with the same options, and not with others', async () => {
    expectFields(await ground.command({ create: 'things' }), { ok: double(1) });
    await ground.command({ create: 'things' });
    expect(await codeOf(ground.command({ create: 'things', validator: { a: 1 } }))).toBe(48);
  });

  test.each<[Document, number]>([
    [{ create: '' }, 73],
    [{ create: 'a$b' }, 73],
    [{ create: 'a..b' }, 73],
    [{ create: 'system.foo' }, 73],
    [{ create: 'things', foo: 1 }, 40415],
    [{ create: 'things', capped: true }, 72],
    [{ create: 'things', size: 100 }, 72],
    [{ create: 'things', validator: 1 }, 14],
    [{ create: 'things', validator: { $foo: 1 } }, 2],
    [{ create: 'things', validator: { a: { $near: [0, 0] } } }, 224],
    [{ create: 'things', validationLevel: 'none' }, 2],
    [{ create: 'things', validationAction: 'none' }, 2],
    [{ create: 'things', collation: { locale: 'xx' } }, 2],
    [{ create: 'things', collation: { locale: 'en', foo: 1 } }, 40415],
    [{ create: 'things', pipeline: [] }, 72],
  ])('%j is refused with %i', async (command, code) => {
    expect(await codeOf(ground.command(command))).toBe(code);
    expect(await names()).toEqual([]);
  });

  test('are listed with their options and _id index', async () => {
    await ground.command({ create: 'things', validator: { a: { $gt: 0 } }, validationLevel: 'moderate' });
    const [listed] = await ground.database.listCollections().toArray();
    expect(listed).toMatchObject({ name: 'things', type: 'collection', info: { readOnly: false } });
    const { options, idIndex } = listed as Document;
    expectSame(options, { validator: { a: { $gt: 0 } }, validationLevel: 'moderate' });
    expectSame(idIndex, { v: 2, key: { _id: 1 }, name: '_id_' });
  });

  test('are listed by filter', async () => {
    for (const name of ['aa', 'ab', 'b']) await ground.command({ create: name });
    expect(await names({ name: 'aa' })).toEqual(['aa']);
    expect(await names({ name: /^a/ })).toEqual(['aa', 'ab']);
    expect(await names({ type: 'view' })).toEqual([]);
    const { cursor } = await ground.command({ listCollections: 1, nameOnly: true, filter: { name: 'b' } });
    expectSame(cursor.firstBatch, [{ name: 'b', type: 'collection' }]);
  });

  test('are dropped with what is in them; what is not there is dropped without complaint', async () => {
    await ground.things.insertOne({});
    await ground.things.createIndex({ a: 1 });
    expectFields(await ground.command({ drop: 'things' }), {
      nIndexesWas: 2,
      ns: 'conformance_collections.things',
    });
    expect(await names()).toEqual([]);
    expectFields(await ground.command({ drop: 'things' }), { ok: double(1) });
  });

  test('go with their database', async () => {
    await ground.things.insertOne({});
    expectFields(await ground.command({ dropDatabase: 1 }), { dropped: 'conformance_collections' });
    const { databases } = await ground.admin({
      listDatabases: 1,
      nameOnly: true,
      filter: { name: 'conformance_collections' },
    });
    expectSame(databases, []);
  });

  test('show their database in the list of databases', async () => {
    await ground.things.insertOne({});
    const { databases } = await ground.admin({
      listDatabases: 1,
      filter: { name: 'conformance_collections' },
    });
    expect(databases).toHaveLength(1);
    expectFields(databases[0], { name: 'conformance_collections', empty: false });
    expect(await codeOf(ground.command({ listDatabases: 1 }))).toBe(13);
  });
});

describe('renameCollection', () => {
  const rename = (from: string, to: string, options: Document = {}) =>
    ground.admin({
      renameCollection: `conformance_collections.${from}`,
      to: `conformance_collections.${to}`,
      ...options,
    });

  test('keeps documents and indexes', async () => {
    await ground.things.insertOne({ _id: 1 as never, a: 1 });
    await ground.things.createIndex({ a: 1 });
    await rename('things', 'others');
    expect(await names()).toEqual(['others']);
    const others = ground.database.collection('others');
    expectSame(await others.find({}, { hint: 'a_1' }).toArray(), [{ _id: 1, a: 1 }]);
  });

  test('takes the place of another one only when told', async () => {
    await ground.things.insertOne({ _id: 1 as never });
    await ground.database.collection('others').insertOne({ _id: 2 as never });
    expect(await codeOf(rename('things', 'others'))).toBe(48);
    await rename('things', 'others', { dropTarget: true });
    expectSame(await ground.database.collection('others').find().toArray(), [{ _id: 1 }]);
  });

  test.each([
    ['nothing', 'others', 26],
    ['things', 'things', 20],
    ['things', 'a$b', 73],
  ])('of %s to %s is refused with %i', async (from, to, code) => {
    await ground.things.insertOne({});
    expect(await codeOf(rename(from, to))).toBe(code);
  });
});

describe('a validator', () => {
  const schema = {
    $jsonSchema: { required: ['name'], properties: { name: { bsonType: 'string' }, n: { minimum: 1 } } },
  };

  test.each<[Document, Document, boolean]>([
    [schema, { name: 'x' }, true],
    [schema, { name: 'x', n: 1 }, true],
    [schema, { name: 'x', n: 0 }, false],
    [schema, { name: 5 }, false],
    [schema, {}, false],
    [{ a: { $gt: 0 } }, { a: 1 }, true],
    [{ a: { $gt: 0 } }, { a: 0 }, false],
    [{ a: { $gt: 0 } }, {}, false],
    [{ $or: [{ a: { $type: 'string' } }, { b: { $exists: true } }] }, { b: 1 }, true],
    [{ $or: [{ a: { $type: 'string' } }, { b: { $exists: true } }] }, { a: 1 }, false],
    [{ $expr: { $lt: ['$a', '$b'] } }, { a: 1, b: 2 }, true],
    [{ $expr: { $lt: ['$a', '$b'] } }, { a: 2, b: 1 }, false],
    [{}, { anything: 1 }, true],
  ])('%j on insert of %j', async (validator, document, isValid) => {
    await ground.command({ create: 'things', validator });
    const { n, writeErrors = [] } = await ground.command({ insert: 'things', documents: [document] });
    expectSame(n, isValid ? 1 : 0);
    expect(writeErrors.map(({ code }: Document) => Number(code))).toEqual(isValid ? [] : [121]);
  });

  test('holds for updates, upserts, replacements and findAndModify', async () => {
    await ground.command({ create: 'things', validator: { a: { $gt: 0 } } });
    await ground.things.insertOne({ _id: 1 as never, a: 1 });
    const refused = [
      () => ground.things.updateOne({}, { $set: { a: 0 } }),
      () => ground.things.updateOne({ _id: 2 as never }, { $set: { a: 0 } }, { upsert: true }),
      () => ground.things.replaceOne({}, { b: 1 }),
      () => ground.things.findOneAndUpdate({}, { $inc: { a: -5 } }),
      () => ground.things.findOneAndReplace({ _id: 2 as never }, { b: 1 }, { upsert: true }),
    ];
    for (const operation of refused) expect(await codeOf(operation())).toBe(121);
    expectSame(await ground.stored(), [{ _id: 1, a: 1 }]);
  });

  test.each([{ $merge: 'things' }, { $out: 'things' }])('holds for %j', async (stage) => {
    await ground.command({ create: 'things', validator: { a: { $gt: 0 } } });
    const others = ground.database.collection<Document>('others');
    await others.insertOne({ _id: 1 as never, a: 0 });
    expect(await codeOf(others.aggregate([stage]).toArray())).toBe(121);
    expectSame(await ground.stored(), []);
    await others.aggregate([stage], { bypassDocumentValidation: true }).toArray();
    expectSame(await ground.stored(), [{ _id: 1, a: 0 }]);
  });

  test('is passed by with bypassDocumentValidation', async () => {
    await ground.command({ create: 'things', validator: { a: { $gt: 0 } } });
    await ground.things.insertOne({ _id: 1 as never }, { bypassDocumentValidation: true });
    await ground.things.updateOne({}, { $set: { b: 1 } }, { bypassDocumentValidation: true });
    await ground.things.findOneAndUpdate({}, { $set: { c: 1 } }, { bypassDocumentValidation: true });
    expectSame(await ground.stored(), [{ _id: 1, b: 1, c: 1 }]);
  });

  test.each<[Document, number[]]>([
    [{ validationLevel: 'strict' }, [121, 121, 0]],
    [{ validationLevel: 'moderate' }, [121, 0, 0]],
    [{ validationLevel: 'off' }, [0, 0, 0]],
    [{ validationAction: 'warn' }, [0, 0, 0]],
  ])(
    'with %j: insert of an invalid one, update of one that was invalid, and of one made valid',
    async (options, codes) => {
      await ground.things.insertMany([{ _id: 1 }, { _id: 2 }] as Document[]);
      await ground.command({ collMod: 'things', validator: { a: 1 }, ...options });
      const replies = [
        await ground.command({ insert: 'things', documents: [{ _id: 3 }] }),
        await ground.command({ update: 'things', updates: [{ q: { _id: 1 }, u: { $set: { b: 1 } } }] }),
        await ground.command({ update: 'things', updates: [{ q: { _id: 2 }, u: { $set: { a: 1 } } }] }),
      ];
      expect(replies.map(({ writeErrors }) => Number(writeErrors?.[0].code ?? 0))).toEqual(codes);
    },
  );

  test('tells which document failed and why', async () => {
    await ground.command({ create: 'things', validator: schema });
    const { writeErrors } = await ground.command({ insert: 'things', documents: [{ _id: 7, n: 0 }] });
    expectFields(writeErrors[0].errInfo, {
      failingDocumentId: 7,
      details: {
        operatorName: '$jsonSchema',
        schemaRulesNotSatisfied: [
          { operatorName: 'required', specifiedAs: { required: ['name'] }, missingProperties: ['name'] },
          {
            operatorName: 'properties',
            propertiesNotSatisfied: [
              {
                propertyName: 'n',
                details: [
                  {
                    operatorName: 'minimum',
                    specifiedAs: { minimum: 1 },
                    reason: 'comparison failed',
                    consideredValue: 0,
                  },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  test('of query operators tells what was considered', async () => {
    await ground.command({ create: 'things', validator: { x: { $type: 'string' } } });
    const { writeErrors } = await ground.command({ insert: 'things', documents: [{ _id: 7, x: 1 }] });
    expectFields(writeErrors[0].errInfo, {
      failingDocumentId: 7,
      details: {
        operatorName: '$type',
        specifiedAs: { x: { $type: 'string' } },
        reason: 'type did not match',
        consideredValue: 1,
        consideredType: 'int',
      },
    });
  });
});

describe('collMod', () => {
  test('sets, changes and takes away a validator', async () => {
    await ground.command({ create: 'things' });
    await ground.command({ collMod: 'things', validator: { a: 1 } });
    expectSame(await optionsOf('things'), {
      validator: { a: 1 },
      validationLevel: 'strict',
      validationAction: 'error',
    });
    await ground.command({ collMod: 'things', validationLevel: 'off' });
    await ground.things.insertOne({ a: 2 });
    await ground.command({ collMod: 'things', validator: {}, validationLevel: 'strict' });
    expect(await optionsOf('things')).not.toHaveProperty('validator');
    await ground.things.insertOne({ a: 2 });
  });

  test('changes the expiry of a TTL index', async () => {
    await ground.things.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const reply = await ground.command({
      collMod: 'things',
      index: { keyPattern: { at: 1 }, expireAfterSeconds: 120 },
    });
    expect([Number(reply.expireAfterSeconds_old), Number(reply.expireAfterSeconds_new)]).toEqual([60, 120]);
    const [, index] = await ground.things.indexes();
    expect(Number(index?.expireAfterSeconds)).toBe(120);
  });

  test('hides an index from the planner and shows it again', async () => {
    await ground.things.insertOne({ a: 1 });
    await ground.things.createIndex({ a: 1 });
    expectFields(await ground.command({ collMod: 'things', index: { name: 'a_1', hidden: true } }), {
      hidden_old: false,
      hidden_new: true,
    });
    expect((await ground.things.indexes())[1]).toMatchObject({ hidden: true });
    expect(await codeOf(ground.things.find({ a: 1 }, { hint: 'a_1' }).toArray())).toBe(2);
    await ground.command({ collMod: 'things', index: { name: 'a_1', hidden: false } });
    expect((await ground.things.indexes())[1]).not.toHaveProperty('hidden');
    expect(await ground.things.find({ a: 1 }, { hint: 'a_1' }).toArray()).toHaveLength(1);
  });

  test('makes an index unique in two steps, and not over documents that clash', async () => {
    await ground.things.insertMany([
      { _id: 1, x: 1 },
      { _id: 2, x: 1 },
    ] as Document[]);
    await ground.things.createIndex({ x: 1 });
    const modify = (change: Document) =>
      ground.command({ collMod: 'things', index: { keyPattern: { x: 1 }, ...change } });
    expect(await codeOf(modify({ unique: true }))).toBe(72);
    await modify({ prepareUnique: true });
    expect(await codeOf(ground.things.insertOne({ x: 1 }))).toBe(11000);
    expect(await codeOf(modify({ unique: true }))).toBe(359);
    await ground.things.deleteOne({ _id: 2 as never });
    await modify({ unique: true });
    expectSame((await ground.things.indexes())[1], { v: 2, key: { x: 1 }, name: 'x_1', unique: true });
    expect(await codeOf(ground.things.insertOne({ x: 1 }))).toBe(11000);
  });

  test.each<[Document, number]>([
    [{ collMod: 'nothing' }, 26],
    [{ collMod: 'things', foo: 1 }, 40415],
    [{ collMod: 'things', index: {} }, 72],
    [{ collMod: 'things', index: { name: 'a_1' } }, 72],
    [{ collMod: 'things', index: { name: 'none', hidden: true } }, 27],
    [{ collMod: 'things', index: { keyPattern: { z: 1 }, hidden: true } }, 27],
    [{ collMod: 'things', index: { name: '_id_', hidden: true } }, 2],
    [{ collMod: 'things', index: { name: 'a_1', hidden: 'x' } }, 14],
    [{ collMod: 'things', index: { name: 'a_1', expireAfterSeconds: 'x' } }, 14],
    [{ collMod: 'things', validator: { $foo: 1 } }, 2],
    [{ collMod: 'things', validationLevel: 'none' }, 2],
  ])('%j is refused with %i', async (command, code) => {
    await ground.things.createIndex({ a: 1 });
    expect(await codeOf(ground.command(command))).toBe(code);
  });
});

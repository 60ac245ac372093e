import mongoose, { type Connection, Schema } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, startForTest } from './support/server-under-test.ts';

describe('mongoose', () => {
  let connection: Connection;

  beforeAll(async () => {
    const { server } = await startForTest({ user: 'shop', password: 'secret' });
    connection = await mongoose.createConnection(server.url, { dbName: 'shop' }).asPromise();
    afterAll(() => connection.close());
  });

  beforeEach(async () => {
    await connection.dropDatabase();
    for (const name of connection.modelNames()) connection.deleteModel(name);
  });

  test('mongoose creates collections and indexes, even if they exist', async () => {
    const schema = new Schema({ email: { type: String, unique: true }, at: { type: Date, expires: 60 } });
    schema.index({ email: 1, at: -1 }, { partialFilterExpression: { at: { $exists: true } } });
    const User = connection.model('User', schema);
    await User.init();
    await User.syncIndexes();
    expect((await User.listIndexes()).map(({ name }) => name)).toEqual([
      '_id_',
      'email_1',
      'at_1',
      'email_1_at_-1',
    ]);
    expect(await User.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
  });

  test('mongoose stores and returns subdocuments, maps, arrays, buffers, decimals, and dates', async () => {
    const schema = new Schema({
      name: String,
      address: { street: String, zip: Number },
      lines: [new Schema({ sku: String, count: Number })],
      labels: { type: Map, of: String },
      photo: Buffer,
      price: Schema.Types.Decimal128,
      big: BigInt,
      at: Date,
      any: Schema.Types.Mixed,
    });
    const Order = connection.model('Order', schema);
    const made = await Order.create({
      name: 'one',
      address: { street: 's', zip: 1 },
      lines: [{ sku: 'a', count: 2 }],
      labels: { x: 'y' },
      photo: Buffer.from('photo'),
      price: '12.50',
      big: 9007199254740993n,
      at: new Date(1000),
      any: { 1: { deep: [1, 'two', null] } },
    });
    const found = await Order.findById(made._id).orFail();
    expect(found.toObject({ flattenMaps: true })).toEqual(made.toObject({ flattenMaps: true }));
    expect(found.get('big')).toBe(9007199254740993n);
    expect(String(found.price)).toBe('12.50');
  });

  test('mongoose reports a duplicate key with code 11000 and its values', async () => {
    const User = connection.model('User', new Schema({ email: { type: String, unique: true } }));
    await User.init();
    await User.create({ email: 'a@x' });
    expect(await rejection(User.create({ email: 'a@x' }))).toMatchObject({
      code: 11000,
      keyPattern: { email: 1 },
      keyValue: { email: 'a@x' },
    });
  });

  test('mongoose counts, selects, sorts, and iterates with a cursor', async () => {
    const Member = connection.model('Member', new Schema({ n: Number, team: String }));
    await Member.insertMany(Array.from({ length: 300 }, (_, n) => ({ n, team: 'red' })));
    const first = await Member.findOne({ n: { $gt: 5 } })
      .sort({ n: 1 })
      .select('n team -_id')
      .lean();
    expect(first).toEqual({ n: 6, team: 'red' });
    expect(await Member.countDocuments({ n: { $lt: 10 } })).toBe(10);
    expect(await Member.exists({ n: 299 })).not.toBeNull();
    let sum = 0;
    for await (const { n } of Member.find().lean().cursor({ batchSize: 50 })) sum += n ?? 0;
    expect(sum).toBe((299 * 300) / 2);
  });

  test('mongoose updates with a pipeline, and adds timestamps', async () => {
    const Attempt = connection.model('Attempt', new Schema({ n: Number }, { timestamps: true }));
    const { _id } = await Attempt.create({ n: 3 });
    await Attempt.updateOne({ _id }, [{ $set: { n: { $subtract: ['$n', 1] } } }], { updatePipeline: true });
    const found = await Attempt.findById(_id).lean().orFail();
    expect(found.n).toBe(2);
    expect(found.updatedAt.getTime()).toBeGreaterThanOrEqual(found.createdAt.getTime());
  });

  test('mongoose runs upserts, bulk writes, and aggregations', async () => {
    const Counter = connection.model('Counter', new Schema({ key: String, n: Number }));
    const upsert = { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true } as const;
    await Counter.findOneAndUpdate({ key: 'a' }, { $inc: { n: 1 } }, upsert);
    const twice = await Counter.findOneAndUpdate({ key: 'a' }, { $inc: { n: 1 } }, upsert);
    expect(twice?.n).toBe(2);
    await Counter.bulkWrite([
      { insertOne: { document: { key: 'b', n: 5 } } },
      { updateOne: { filter: { key: 'a' }, update: { $set: { n: 10 } } } },
    ]);
    expect(await Counter.aggregate([{ $group: { _id: null, total: { $sum: '$n' } } }])).toEqual([
      { _id: null, total: 15 },
    ]);
  });

  test('mongoose reports the rejected documents of an unordered bulk and stores the others', async () => {
    const Key = connection.model('Key', new Schema({ key: { type: Number, unique: true } }));
    await Key.init();
    const documents = [1, 2, 2, 3].map((key) => ({ key }));
    const error = await rejection(Key.insertMany(documents, { ordered: false }));
    expect(error).toMatchObject({ code: 11000, insertedCount: 3 });
    expect(error.writeErrors).toHaveLength(1);
    expect(await Key.countDocuments()).toBe(3);
  });

  test('mongoose rejects a transaction', async () => {
    const Thing = connection.model('Thing', new Schema({ n: Number }));
    await Thing.init();
    const rejected = connection.transaction((session) => Thing.create([{ n: 1 }], { session }));
    expect((await rejection(rejected)).message).toMatch(/retryable writes|Transaction numbers/);
    expect(await Thing.countDocuments()).toBe(0);
  });
});

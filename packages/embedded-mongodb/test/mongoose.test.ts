import mongoose, { type Connection, Schema } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, startForTest } from './support/server-under-test.ts';

describe('mongoose in ordinary use', () => {
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

  test('makes collections and indexes by itself, and again without complaint', async () => {
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

  test('stores and gives back subdocuments, maps, arrays, buffers, decimals and dates', async () => {
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

  test('saves only what changed, with timestamps and array methods', async () => {
    const schema = new Schema({ tags: [String], n: Number }, { timestamps: true });
    const Post = connection.model('Post', schema);
    const post = await Post.create({ tags: ['a', 'b'], n: 1 });
    post.tags.push('c');
    (post.tags as mongoose.Types.Array<string>).pull('a');
    await post.save();
    await Post.updateOne({ _id: post._id }, { $addToSet: { tags: 'd' }, $inc: { n: 2 } });
    const found = await Post.findById(post._id).lean().orFail();
    expect(found).toMatchObject({ tags: ['b', 'c', 'd'], n: 3 });
    expect(found.updatedAt.getTime()).toBeGreaterThanOrEqual(found.createdAt.getTime());
  });

  test('notices that somebody else saved first', async () => {
    const Page = connection.model('Page', new Schema({ n: Number }, { optimisticConcurrency: true }));
    const made = await Page.create({ n: 1 });
    const [first, second] = await Promise.all([
      Page.findById(made._id).orFail(),
      Page.findById(made._id).orFail(),
    ]);
    await first.set('n', 2).save();
    expect(await rejection(second.set('n', 3).save())).toMatchObject({ name: 'VersionError' });
  });

  test('reports a duplicate with code 11000 and its keys', async () => {
    const User = connection.model('User', new Schema({ email: { type: String, unique: true } }));
    await User.init();
    await User.create({ email: 'a@x' });
    expect(await rejection(User.create({ email: 'a@x' }))).toMatchObject({
      code: 11000,
      keyPattern: { email: 1 },
      keyValue: { email: 'a@x' },
    });
  });

  test('populates, counts, selects, sorts and walks with a cursor', async () => {
    const Team = connection.model('Team', new Schema({ name: String }));
    const Member = connection.model(
      'Member',
      new Schema({ n: Number, team: { type: Schema.Types.ObjectId, ref: 'Team' } }),
    );
    const team = await Team.create({ name: 'red' });
    await Member.insertMany(Array.from({ length: 300 }, (_, n) => ({ n, team: team._id })));
    const first = await Member.findOne({ n: { $gt: 5 } })
      .sort({ n: 1 })
      .select('n team -_id')
      .populate<{ team: { name: string } }>('team')
      .orFail();
    expect(first.toObject()).toMatchObject({ n: 6, team: { name: 'red' } });
    expect(await Member.countDocuments({ n: { $lt: 10 } })).toBe(10);
    expect(await Member.exists({ n: 299 })).not.toBeNull();
    let sum = 0;
    for await (const { n } of Member.find().lean().cursor({ batchSize: 50 })) sum += n ?? 0;
    expect(sum).toBe((299 * 300) / 2);
  });

  test('keeps discriminators apart in one collection', async () => {
    const Event = connection.model('Event', new Schema({ at: Date }, { discriminatorKey: 'kind' }));
    const Click = Event.discriminator('Click', new Schema({ url: String }));
    const Visit = Event.discriminator('Visit', new Schema({ ip: String }));
    await Click.create({ url: '/' });
    await Visit.create({ ip: '127.0.0.1' });
    expect(await Event.countDocuments()).toBe(2);
    expect(await Click.find().lean()).toMatchObject([{ kind: 'Click', url: '/' }]);
  });

  test('upserts, bulk writes and aggregates', async () => {
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

  test('a transaction is refused', async () => {
    const Thing = connection.model('Thing', new Schema({ n: Number }));
    await Thing.init();
    const refused = connection.transaction((session) => Thing.create([{ n: 1 }], { session }));
    expect((await rejection(refused)).message).toMatch(/retryable writes|Transaction numbers/);
    expect(await Thing.countDocuments()).toBe(0);
  });
});

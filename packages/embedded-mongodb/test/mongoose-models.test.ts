import mongoose, { type Connection, Schema, Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection, startForTest } from './support/server-under-test.ts';

let connection: Connection;

beforeAll(async () => {
  const { server } = await startForTest();
  connection = await mongoose.createConnection(server.url, { dbName: 'shop' }).asPromise();
  afterAll(() => connection.close());
});

beforeEach(async () => {
  await connection.dropDatabase();
  for (const name of connection.modelNames()) connection.deleteModel(name);
});

describe('subdocuments and arrays', () => {
  const lineSchema = new Schema({ sku: { type: String, required: true }, count: { type: Number, min: 1 } });
  const orderSchema = new Schema({ lines: [lineSchema], note: String, tags: [String] });

  test('subdocuments and arrays are changed in place and saved', async () => {
    const Order = connection.model('Order', orderSchema);
    const order = await Order.create({
      lines: [
        { sku: 'a', count: 1 },
        { sku: 'b', count: 2 },
      ],
      tags: ['x'],
    });
    const [first, second] = order.lines;
    order.lines.id(first?._id ?? '')?.set('count', 5);
    order.lines.pull(second?._id);
    order.lines.push({ sku: 'c', count: 3 });
    (order.tags as mongoose.Types.Array<string>).addToSet('x', 'y');
    await order.save();
    const found = await Order.findById(order._id).lean().orFail();
    expect(found.lines.map(({ sku, count }) => [sku, count])).toEqual([
      ['a', 5],
      ['c', 3],
    ]);
    expect(found.tags).toEqual(['x', 'y']);
  });

  test('subdocuments and arrays are validated before they are written', async () => {
    const Order = connection.model('Order', orderSchema);
    const error = await rejection(Order.create({ lines: [{ sku: 'a', count: 0 }] }));
    expect(Object.keys(error.errors)).toEqual(['lines.0.count']);
    expect(await Order.countDocuments()).toBe(0);
  });
});

test('maps of scalars and of subdocuments are read, changed by key, and queried', async () => {
  const schema = new Schema({
    labels: { type: Map, of: String },
    prices: { type: Map, of: new Schema({ amount: Number, currency: String }, { _id: false }) },
  });
  const Product = connection.model('Product', schema);
  const product = await Product.create({
    labels: { a: '1' },
    prices: { de: { amount: 5, currency: 'EUR' } },
  });
  product.labels?.set('b', '2');
  product.set('prices.de.amount', 6);
  await product.save();
  await Product.updateOne({ _id: product._id }, { $set: { 'labels.c': '3' }, $unset: { 'labels.a': 1 } });
  const found = await Product.findOne({ 'labels.b': '2', 'prices.de.amount': { $gt: 5 } }).orFail();
  expect(Object.fromEntries(found.labels as Map<string, string>)).toEqual({ b: '2', c: '3' });
});

describe('populate', () => {
  beforeEach(async () => {
    const userSchema = new Schema({ name: String, team: { type: Schema.Types.ObjectId, ref: 'Team' } });
    const teamSchema = new Schema({ name: String }, { toObject: { virtuals: true } });
    teamSchema.virtual('members', { ref: 'User', localField: '_id', foreignField: 'team' });
    teamSchema.virtual('size', { ref: 'User', localField: '_id', foreignField: 'team', count: true });
    const User = connection.model<{ name: string; team: Types.ObjectId }>('User', userSchema as never);
    const Team = connection.model('Team', teamSchema);
    const [red, blue] = await Team.create([{ name: 'red' }, { name: 'blue' }]);
    await User.create([
      { name: 'a', team: red?._id as Types.ObjectId },
      { name: 'b', team: red?._id as Types.ObjectId },
      { name: 'c', team: blue?._id as Types.ObjectId },
      { name: 'd', team: new Types.ObjectId() },
    ]);
  });

  test('populate replaces references with documents, and missing ones with null', async () => {
    const users = await connection
      .model<{ team: unknown }>('User')
      .find()
      .sort('name')
      .populate<{ team: { name: string } | null }>('team')
      .lean();
    expect(users.map(({ team }) => team?.name)).toEqual(['red', 'red', 'blue', undefined]);
  });

  test('populate replaces virtuals with counts and with selected, sorted documents', async () => {
    const teams = await connection
      .model('Team')
      .find()
      .sort('name')
      .populate({ path: 'members', select: 'name -_id team', options: { sort: { name: -1 }, limit: 1 } })
      .populate('size');
    expect(
      teams.map((team) => [team.name, team.size, team.members.map(({ name }: { name: string }) => name)]),
    ).toEqual([
      ['blue', 1, ['c']],
      ['red', 2, ['b']],
    ]);
  });
});

describe('indexes', () => {
  test('indexes match the schema after syncIndexes', async () => {
    const before = new Schema({ a: Number, at: Date, b: String });
    before.index({ a: 1 });
    before.index({ at: 1 }, { expireAfterSeconds: 60 });
    await connection.model('Thing', before).syncIndexes();
    connection.deleteModel('Thing');
    const after = new Schema({ a: Number, at: Date, b: String });
    after.index({ at: 1 }, { expireAfterSeconds: 120 });
    after.index({ b: 1 }, { unique: true });
    after.index({ a: -1 });
    const Thing = connection.model('Thing', after);
    expect((await Thing.syncIndexes()).sort()).toEqual(['a_1', 'at_1']);
    expect(await Thing.diffIndexes()).toEqual({ toDrop: [], toCreate: [] });
    await Thing.create({ b: 'x' });
    expect(await rejection(Thing.create({ b: 'x' }))).toMatchObject({ code: 11000 });
  });

  test('a duplicate stops an ordered insertMany, but not an unordered one', async () => {
    const User = connection.model('User', new Schema({ email: { type: String, unique: true } }));
    await User.init();
    const documents = [{ email: 'a' }, { email: 'a' }, { email: 'b' }];
    expect(await rejection(User.insertMany(documents))).toMatchObject({ code: 11000 });
    expect(await User.countDocuments()).toBe(1);
    await rejection(User.insertMany(documents, { ordered: false }));
    expect(await User.countDocuments()).toBe(2);
  });
});

describe('writing many', () => {
  const schema = new Schema({ n: Number, status: String }, { timestamps: true });

  test('bulkWrite casts values, adds timestamps, and returns counts', async () => {
    const Job = connection.model('Job', schema);
    await Job.create([{ n: 1 }, { n: 2 }]);
    const result = await Job.bulkWrite([
      { updateOne: { filter: { n: '1' as never }, update: { $set: { status: 'done' } } } },
      { updateMany: { filter: {}, update: { $inc: { n: 10 } } } },
      { deleteOne: { filter: { n: 12 } } },
      { updateOne: { filter: { n: 99 }, update: { $set: { status: 'new' } }, upsert: true } },
    ]);
    expect(result).toMatchObject({ matchedCount: 3, modifiedCount: 3, deletedCount: 1, upsertedCount: 1 });
    const upserted = await Job.findOne({ n: 99 }).orFail();
    expect(upserted.createdAt).toBeInstanceOf(Date);
  });

  test('bulkSave writes the changes of each document', async () => {
    const Job = connection.model('Job', schema);
    const jobs = await Job.create([{ n: 1 }, { n: 2 }, { n: 3 }]);
    for (const job of jobs) job.set('status', `s${job.n}`);
    await Job.bulkSave(jobs);
    const saved = await Job.find().sort('n').lean();
    expect(saved.map(({ status }) => status)).toEqual(['s1', 's2', 's3']);
  });

  test('cursors return all documents in order', async () => {
    const Job = connection.model('Job', schema);
    await Job.insertMany(Array.from({ length: 250 }, (_, n) => ({ n })));
    const seen: number[] = [];
    await Job.find()
      .sort({ n: 1 })
      .cursor({ batchSize: 20 })
      .eachAsync(({ n }) => {
        seen.push(n as number);
      });
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => n));
    const inBatches: number[] = [];
    await Job.aggregate([{ $match: { n: { $gte: 245 } } }, { $sort: { n: -1 } }])
      .cursor({ batchSize: 2 })
      .eachAsync((job: { n: number }) => {
        inBatches.push(job.n);
      });
    expect(inBatches).toEqual([249, 248, 247, 246, 245]);
  });
});

test('types of UUIDs, buffers, decimals, bigints, dates, and ObjectIds are preserved', async () => {
  const schema = new Schema({
    uuid: Schema.Types.UUID,
    bytes: Buffer,
    price: Schema.Types.Decimal128,
    big: BigInt,
    at: Date,
    other: Schema.Types.ObjectId,
    ratio: Schema.Types.Double,
    count: Schema.Types.Int32,
  });
  const Typed = connection.model('Typed', schema);
  const other = new Types.ObjectId();
  const { _id } = await Typed.create({
    uuid: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
    bytes: Buffer.from([1, 2]),
    price: '10.50',
    big: 2n ** 60n,
    at: new Date(5),
    other,
    ratio: 1,
    count: 2,
  });
  const found = await Typed.findOne({
    uuid: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
    big: 2n ** 60n,
    price: Types.Decimal128.fromString('10.5'),
    other,
  }).orFail();
  expect(found.get('_id')).toEqual(_id);
  const [types] = await Typed.aggregate([
    {
      $project: {
        _id: 0,
        uuid: { $type: '$uuid' },
        big: { $type: '$big' },
        ratio: { $type: '$ratio' },
        count: { $type: '$count' },
      },
    },
  ]);
  expect(types).toEqual({ uuid: 'binData', big: 'long', ratio: 'double', count: 'int' });
});

import mongoose, { type Connection, Schema, type Types } from 'mongoose';
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

  test('mongoose saves only changed fields, with timestamps and array methods', async () => {
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

  test('mongoose rejects a save of a document that changed after it was read', async () => {
    const Page = connection.model('Page', new Schema({ n: Number }, { optimisticConcurrency: true }));
    const made = await Page.create({ n: 1 });
    const [first, second] = await Promise.all([
      Page.findById(made._id).orFail(),
      Page.findById(made._id).orFail(),
    ]);
    await first.set('n', 2).save();
    expect(await rejection(second.set('n', 3).save())).toMatchObject({ name: 'VersionError' });
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

  test('mongoose populates, counts, selects, sorts, and iterates with a cursor', async () => {
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

  test('mongoose distinguishes discriminators in one collection', async () => {
    const Event = connection.model('Event', new Schema({ at: Date }, { discriminatorKey: 'kind' }));
    const Click = Event.discriminator('Click', new Schema({ url: String }));
    const Visit = Event.discriminator('Visit', new Schema({ ip: String }));
    await Click.create({ url: '/' });
    await Visit.create({ ip: '127.0.0.1' });
    expect(await Event.countDocuments()).toBe(2);
    expect(await Click.find().lean()).toMatchObject([{ kind: 'Click', url: '/' }]);
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

  test('mongoose runs plugins with their hooks, statics, and virtuals', async () => {
    const slugs = (schema: Schema) => {
      schema.add({ slug: String });
      schema.pre('save', function setSlug() {
        this.set('slug', String(this.get('title')).toLowerCase().replaceAll(' ', '-'));
      });
      schema.static('bySlug', function find(slug: string) {
        return this.findOne({ slug });
      });
      schema.virtual('path').get(function path() {
        return `/posts/${this.get('slug')}`;
      });
    };
    const schema = new Schema({ title: { type: String, required: true } });
    schema.plugin(slugs as never);
    const Post = connection.model('Post', schema);
    await Post.create({ title: 'Hello World' });
    const found = await (Post as unknown as { bySlug(slug: string): Promise<unknown> }).bySlug('hello-world');
    expect(found).toMatchObject({ title: 'Hello World', path: '/posts/hello-world' });
    expect(await rejection(Post.create({}))).toMatchObject({ name: 'ValidationError' });
  });

  test('mongoose changes subdocuments in arrays by id and by index', async () => {
    const Order = connection.model(
      'Order',
      new Schema({ lines: [new Schema({ sku: String, n: Number })], notes: { type: Map, of: String } }),
    );
    const order = await Order.create({
      lines: [
        { sku: 'a', n: 1 },
        { sku: 'b', n: 2 },
      ],
      notes: { x: 'y' },
    });
    const [first] = order.lines;
    order.lines.id(first?._id as Types.ObjectId)?.set('n', 10);
    order.notes?.set('z', 'w');
    order.lines.push({ sku: 'c', n: 3 });
    await order.save();
    await Order.updateOne({}, { $set: { 'lines.1.n': 20 } });
    await Order.updateOne({}, { $pull: { lines: { sku: 'a' } }, $unset: { 'notes.x': 1 } });
    const stored = await Order.findOne().lean().orFail();
    expect(stored.lines.map(({ sku, n }) => [sku, n])).toEqual([
      ['b', 20],
      ['c', 3],
    ]);
    expect(stored.notes).toEqual({ z: 'w' });
  });

  test('mongoose populates virtuals, nested paths, and dynamic references', async () => {
    const author = new Schema({ name: String });
    author.virtual('books', { ref: 'Book', localField: '_id', foreignField: 'author' });
    const Author = connection.model('Author', author);
    const Book = connection.model(
      'Book',
      new Schema({ title: String, author: { type: Schema.Types.ObjectId, ref: 'Author' } }),
    );
    const Review = connection.model(
      'Review',
      new Schema({ kind: String, of: { type: Schema.Types.ObjectId, refPath: 'kind' } }),
    );
    const ada = await Author.create({ name: 'Ada' });
    const book = await Book.create({ title: 'Notes', author: ada._id });
    await Review.create({ kind: 'Book', of: book._id }, { kind: 'Author', of: ada._id });
    const found = await Author.findOne()
      .populate({ path: 'books', match: { title: /^N/ } })
      .orFail();
    expect(found.toObject({ virtuals: true })).toMatchObject({ books: [{ title: 'Notes' }] });
    const reviews = await Review.find()
      .sort({ kind: 1 })
      .populate({ path: 'of', populate: { path: 'author', strictPopulate: false } })
      .lean();
    expect(reviews).toMatchObject([{ of: { name: 'Ada' } }, { of: { author: { name: 'Ada' } } }]);
  });

  test('mongoose distinguishes embedded discriminators', async () => {
    const shape = new Schema({ name: String }, { discriminatorKey: 'kind' });
    const drawing = new Schema({ shapes: [shape] });
    const shapes = drawing.path('shapes') as unknown as Schema.Types.DocumentArray;
    shapes.discriminator('Circle', new Schema({ radius: Number }));
    shapes.discriminator('Square', new Schema({ side: Number }));
    const Drawing = connection.model('Drawing', drawing);
    await Drawing.create({
      shapes: [
        { kind: 'Circle', radius: 5, side: 1 },
        { kind: 'Square', side: 2 },
      ],
    });
    const stored = await Drawing.findOne({ 'shapes.radius': 5 }).lean();
    expect(stored?.shapes).toMatchObject([{ radius: 5 }, { side: 2 }]);
    expect(stored?.shapes[0]).not.toHaveProperty('side');
  });

  test('mongoose rejects a save of an array that changed after it was read', async () => {
    const List = connection.model('List', new Schema({ items: [Number] }, { optimisticConcurrency: true }));
    const { _id } = await List.create({ items: [1, 2, 3] });
    const [one, other] = await Promise.all([List.findById(_id).orFail(), List.findById(_id).orFail()]);
    (one.items as Types.Array<number>).pull(2);
    await one.save();
    (other.items as Types.Array<number>).set(2, 30);
    expect(await rejection(other.save())).toMatchObject({ name: 'VersionError' });
    expect((await List.findById(_id).orFail()).items).toEqual([1, 3]);
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

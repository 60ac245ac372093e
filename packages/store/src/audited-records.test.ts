import type { AuditEntry, SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { createLogger } from '@tollgate/runtime/logger';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SYSTEM_AUTHOR } from './audit-author.ts';
import { type AuditedRecords, changeAudited, insertAudited, recordAudited } from './audited-records.ts';
import { connectMongoDB } from './mongodb.ts';
import { AUDITED_FIELDS, nullableText, optionalShape, RECORD_OPTIONS } from './schema/fields.ts';

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  name: { type: String, required: true },
  note: nullableText(),
  seen_at: { type: Date, allowNull: false },
  place: optionalShape<{ city: string }>(),
  ...AUDITED_FIELDS,
} as const;
type Thing = InferRawDocType<typeof definition>;
const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'things' });

const TEAM = newId('team');
const OTHER_TEAM = newId('team');

let server: TestServer;
let connection: Connection;
let things: AuditedRecords<Thing>;
let enqueued: string[];
const clock = createFakeClock();
const trail = {
  clock,
  signer: createIssuerKeys().signers.applications,
  audit: { enqueue: (messages: { id: string }[]) => void enqueued.push(...messages.map(({ id }) => id)) },
};

beforeAll(async () => {
  server = await startMongoDB();
  const logger = createLogger({ service: 'test', level: 'silent' });
  connection = await connectMongoDB({ url: server.url, database: 'audited', appName: 'test', logger });
  things = { model: connection.model<Thing>('Thing', schema), noun: 'thing' };
  await connection.collection('things').createIndex({ team_id: 1, name: 1 }, { unique: true });
});
afterAll(async () => {
  await connection.close();
  await server.dispose();
});
beforeEach(async () => {
  await connection.collection('things').deleteMany({});
  enqueued = [];
});

function thing(fields: Partial<Thing> = {}): Thing {
  const now = new Date(clock.now());
  const made = { created_at: now, updated_at: now, outbox: [] };
  return { _id: newId('apiKey'), team_id: TEAM, name: 'a', note: null, version: 1, ...made, ...fields };
}

const entry = (_before: Thing | null, after: Thing): AuditEntry => ({
  id: newId('audit'),
  occurred_at: after.updated_at.toISOString(),
  team_id: after.team_id,
  environment: null,
  application_id: null,
  ...SYSTEM_AUTHOR,
  action: 'key.updated',
  target: { type: 'key', id: after._id, name: after.name },
  changes: {},
});

const renamed = (name: string) => (before: Thing, now: Date) =>
  before.name === name ? before : { ...before, name, version: before.version + 1, updated_at: now };

const insert = async (fields: Partial<Thing> = {}) => {
  const inserted = thing(fields);
  await things.model.create([inserted]);
  return inserted;
};
const read = (_id: string) => connection.collection<Thing>('things').findOne({ _id });
const rename = (_id: string, name: string) =>
  changeAudited(trail, things, { _id, team_id: TEAM }, renamed(name), entry);

it('a changed record is stored with its signed audit entry in one write, and the entry is published', async () => {
  const { _id } = await insert();
  clock.advance(1_000);
  const after = await rename(_id, 'b');
  expect(after).toMatchObject({ name: 'b', version: 2, updated_at: new Date(clock.now()) });
  const stored = await read(_id);
  expect(stored).toMatchObject({
    name: 'b',
    version: 2,
    outbox: [{ signature: { issuer: 'applications' } }],
  });
  expect(enqueued).toEqual(stored?.outbox.map(({ id }: SignedAuditEntry) => id));
});

it('a record that does not change is not written, and has no audit entry', async () => {
  const { _id, name } = await insert();
  expect(await rename(_id, name)).toMatchObject({ version: 1 });
  expect(await read(_id)).toMatchObject({ version: 1, outbox: [] });
  expect(enqueued).toEqual([]);
});

it('a record of another team is not found', async () => {
  const { _id } = await insert({ team_id: OTHER_TEAM });
  await expect(rename(_id, 'b')).rejects.toMatchObject({
    details: { code: 'not-found', detail: `Your team has no thing ${_id}.` },
  });
  expect(await read(_id)).toMatchObject({ name: 'a', outbox: [] });
});

it('a record that a decision rejects is not written', async () => {
  const { _id } = await insert();
  const reject = () => {
    throw new Problem('forbidden', 'No.');
  };
  const change = changeAudited(trail, things, { _id, team_id: TEAM }, reject, entry);
  await expect(change).rejects.toThrow('No.');
  expect(await read(_id)).toMatchObject({ version: 1, outbox: [] });
});

it('a record that many writers change at once has the change of each of them', async () => {
  const { _id } = await insert({ note: '' });
  const append = (letter: string) => (before: Thing) => ({
    ...before,
    note: `${before.note}${letter}`,
    version: before.version + 1,
  });
  const letters = [...'abcdefghij'];
  await Promise.all(
    letters.map((letter) => changeAudited(trail, things, { _id, team_id: TEAM }, append(letter), entry)),
  );
  const stored = await read(_id);
  expect([...(stored?.note ?? '')].sort()).toEqual(letters);
  expect(stored).toMatchObject({ version: letters.length + 1 });
  expect(stored?.outbox).toHaveLength(letters.length);
});

it('a record that other writers always change first is a conflict', async () => {
  const { _id } = await insert();
  const loseRace = async (before: Thing) => {
    await things.model.updateOne({ _id }, { $inc: { version: 1 } });
    return { ...before, name: 'b', version: before.version + 1 };
  };
  const change = changeAudited(trail, things, { _id, team_id: TEAM }, loseRace, entry);
  await expect(change).rejects.toMatchObject({
    details: {
      code: 'conflict',
      detail: 'The thing is being changed by other requests. Fetch it again, then retry.',
    },
  });
  expect(await read(_id)).toMatchObject({ name: 'a', outbox: [] });
});

it('a record whose unique value another write took is decided again', async () => {
  const { _id } = await insert();
  await insert({ name: 'b' });
  const names = ['b', 'c'];
  const decide = (before: Thing) => ({
    ...before,
    name: names.shift() ?? '',
    version: before.version + 1,
  });
  await changeAudited(trail, things, { _id, team_id: TEAM }, decide, entry);
  expect(await read(_id)).toMatchObject({ name: 'c', version: 2 });
});

it('a changed record keeps what another writer stored meanwhile, and what only a later release knows', async () => {
  const { _id } = await insert({ place: { city: 'Bern' } });
  await connection.collection<{ _id: string }>('things').updateOne({ _id }, { $set: { later: true } });
  const seenAt = new Date(clock.now() + 5);
  const decide = async (before: Thing, now: Date) => {
    await things.model.updateOne({ _id }, { $set: { seen_at: seenAt } });
    return renamed('b')(before, now);
  };
  await changeAudited(trail, things, { _id, team_id: TEAM }, decide, entry);
  expect(await read(_id)).toMatchObject({ name: 'b', seen_at: seenAt, place: { city: 'Bern' }, later: true });
});

it('a changed record gets an object that the decision set, although another writer replaced an equal one meanwhile', async () => {
  const { _id } = await insert({ place: { city: 'Bern' } });
  const decide = async (before: Thing, now: Date) => {
    await things.model.updateOne({ _id }, { $set: { place: { city: 'Basel' } } });
    return { ...renamed('b')(before, now), place: { city: 'Bern' } };
  };
  await changeAudited(trail, things, { _id, team_id: TEAM }, decide, entry);
  expect(await read(_id)).toMatchObject({ place: { city: 'Bern' } });
});

it('a record with a fence of its own is decided again after a change that its fence shows', async () => {
  const { _id } = await insert();
  const fenced = { ...things, unchanged: ({ name }: Thing) => ({ name }) };
  const names = ['raced', 'meanwhile'];
  const decide = async (before: Thing) => {
    const other = names.shift();
    if (other) await things.model.updateOne({ _id }, { $set: { name: other, version: 1 } });
    return { ...before, name: `${before.name} and decided` };
  };
  await changeAudited(trail, fenced, { _id, team_id: TEAM }, decide, entry);
  expect(await read(_id)).toMatchObject({ name: 'meanwhile and decided', version: 1 });
});

it('a changed record loses a field that the decision removed', async () => {
  const { _id } = await insert({ place: { city: 'Bern' } });
  const decide = ({ place: _, ...before }: Thing) => ({ ...before, version: before.version + 1 });
  await changeAudited(trail, things, { _id, team_id: TEAM }, decide, entry);
  expect(await read(_id)).not.toHaveProperty('place');
});

it('a record that every team has is inserted by its first change, once, however many change it', async () => {
  const settings = { ...things, initial: (id: string) => thing({ _id: id, team_id: TEAM }) };
  const rename = (name: string) =>
    changeAudited(trail, settings, { _id: TEAM, team_id: TEAM }, renamed(name), entry);
  expect(await rename('a')).toMatchObject({ version: 1 });
  expect(await read(TEAM)).toBeNull();
  await Promise.all(['b', 'c'].map(rename));
  expect(await read(TEAM)).toMatchObject({ version: 3 });
  expect((await read(TEAM))?.outbox).toHaveLength(2);
});

it('an inserted record has its audit entry, and a duplicate has none', async () => {
  const inserted = await insertAudited(trail, things, thing(), entry(null, thing()));
  expect((await read(inserted._id))?.outbox.map(({ id }) => id)).toEqual(enqueued);
  await expect(insertAudited(trail, things, inserted, entry(null, inserted))).rejects.toThrow('duplicate');
  expect(enqueued).toHaveLength(1);
});

it('a recorded action stores its audit entry without a new version, and nothing if the record is not found', async () => {
  const before = await insert();
  const { _id } = before;
  const note = { note: 'seen' };
  expect(await recordAudited(trail, things, { _id, team_id: TEAM }, entry(null, before), note)).toBe(true);
  expect(await read(_id)).toMatchObject({ version: 1, note: 'seen', outbox: [{ id: enqueued[0] }] });
  const elsewhere = { _id, team_id: OTHER_TEAM };
  expect(await recordAudited(trail, things, elsewhere, entry(null, before))).toBe(false);
  expect(enqueued).toHaveLength(1);
});

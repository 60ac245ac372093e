import { connect, type Socket } from 'node:net';
import { type Document, ObjectId } from 'bson';
import fc from 'fast-check';
import { opMsg } from './wire-client.ts';

const CONNECTIONS = 16;
/** Long enough for any reply. A message that is shorter than its length field correctly gets none. */
const ANSWER_TIMEOUT_MS = 150;
const MAX_GARBAGE_BYTES = 64 * 1024;

const SEEDS: readonly Buffer[] = [
  { hello: 1 },
  { find: 'things', filter: { text: 'here', n: { $gt: 1, $in: [1, 2.5, null] } }, sort: { n: -1 }, limit: 5 },
  { insert: 'things', documents: [{ _id: new ObjectId(), n: 1, nested: { a: [1, 'two', new Date(0)] } }] },
  {
    update: 'things',
    updates: [{ q: { n: 1 }, u: { $set: { 'nested.b': true }, $inc: { n: 1 } }, upsert: true }],
  },
  { delete: 'things', deletes: [{ q: { n: { $lt: 0 } }, limit: 0 }] },
  {
    aggregate: 'things',
    pipeline: [{ $match: { n: 1 } }, { $group: { _id: '$n', c: { $sum: 1 } } }],
    cursor: {},
  },
  { findAndModify: 'things', query: { n: 1 }, update: [{ $set: { n: { $add: ['$n', 1] } } }], new: true },
  { createIndexes: 'things', indexes: [{ key: { n: 1 }, name: 'n_1' }] },
  { getMore: 5n, collection: 'things' },
].map((command: Document) => opMsg({ ...command, $db: 'fuzzed' }));

/** A message that is truncated, lengthened, or has changed bytes, or arbitrary bytes. */
const spoilt: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...SEEDS).chain(mutated) },
  { weight: 2, arbitrary: fc.constantFrom(...SEEDS).chain(truncated) },
  { weight: 1, arbitrary: fc.constantFrom(...SEEDS).chain(withWrongLength) },
  { weight: 1, arbitrary: fc.constantFrom(...SEEDS).chain(lengthened) },
);

function mutated(seed: Buffer): fc.Arbitrary<Buffer> {
  const edit = fc.tuple(fc.nat(seed.length - 1), fc.nat(255));
  return fc.array(edit, { minLength: 1, maxLength: 8 }).map((edits) => {
    const copy = Buffer.from(seed);
    // Keeps the length, because otherwise the server would reject almost every message at the header.
    for (const [at, byte] of edits) if (at >= 4) copy.writeUInt8(byte, at);
    return copy;
  });
}

/** A truncated message, half of the time with a matching length. */
function truncated(seed: Buffer): fc.Arbitrary<Buffer> {
  return fc.tuple(fc.nat(seed.length - 1), fc.boolean()).map(([length, isHonest]) => {
    const copy = Buffer.from(seed.subarray(0, length));
    if (isHonest && length >= 4) copy.writeInt32LE(length, 0);
    return copy;
  });
}

function withWrongLength(seed: Buffer): fc.Arbitrary<Buffer> {
  const length = fc.oneof(fc.integer(), fc.constantFrom(0, 15, 16, 48_000_000, 48_000_001, 2 ** 31 - 1, -1));
  return fc.tuple(length, fc.constantFrom(0, 21)).map(([wrong, at]) => {
    const copy = Buffer.from(seed);
    copy.writeInt32LE(wrong, at);
    return copy;
  });
}

/** A message with random bytes after its end that its length includes. */
function lengthened(seed: Buffer): fc.Arbitrary<Buffer> {
  return fc.integer({ min: 1, max: MAX_GARBAGE_BYTES }).map((more) => {
    const copy = Buffer.concat([seed, Buffer.alloc(more, 0x5a)]);
    copy.writeInt32LE(copy.length, 0);
    return copy;
  });
}

export interface FuzzOutcome {
  sent: number;
  answered: number;
  /** The number of connections that the server closed, as it must for bytes that are not a message. */
  closed: number;
}

/** Sends malformed messages over a few connections at once. The same seed generates the same messages. */
export async function fuzz(port: number, messages: number, seed: number): Promise<FuzzOutcome> {
  const outcome: FuzzOutcome = { sent: 0, answered: 0, closed: 0 };
  const sendShare = async (_: unknown, connection: number) => {
    let socket: Socket | undefined;
    const share = Math.ceil(messages / CONNECTIONS);
    for (const message of fc.sample(spoilt, { numRuns: share, seed: seed + connection })) {
      socket ??= await connected(port);
      const end = await sent(socket, message);
      outcome.sent += 1;
      if (end === 'answered') outcome.answered += 1;
      else {
        if (end === 'closed') outcome.closed += 1;
        // A reset skips the TIME_WAIT state. There are fewer ports than messages.
        socket.resetAndDestroy();
        socket = undefined;
      }
    }
    socket?.resetAndDestroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendShare));
  return outcome;
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends the bytes and waits for a reply, the end of the connection, or the timeout. */
function sent(socket: Socket, bytes: Buffer): Promise<'answered' | 'closed' | 'silent'> {
  return new Promise((resolve) => {
    const settle = (end: 'answered' | 'closed' | 'silent') => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.on('error', () => {});
      resolve(end);
    };
    const timer = setTimeout(() => settle('silent'), ANSWER_TIMEOUT_MS);
    socket.removeAllListeners();
    socket.on('data', () => settle('answered'));
    socket.on('error', () => settle('closed'));
    socket.on('close', () => settle('closed'));
    socket.write(bytes);
  });
}

import { beforeAll, describe, expect, test } from 'vitest';
import { fuzz } from './support/fuzz.ts';
import { type ServerUnderTest, startForTest } from './support/server-under-test.ts';
import { exchange, opMsg } from './support/wire-client.ts';

/** A short version of bench/fuzz.ts. */
const MESSAGES = 1600;
const SEED = 7;

describe('malformed messages', () => {
  let under: ServerUnderTest;

  beforeAll(async () => {
    under = await startForTest();
    await under.client
      .db('test')
      .collection('things')
      .insertOne({ _id: 1 as never, text: 'here' });
  });

  const valid = opMsg({ find: 'things', filter: { text: 'here' }, $db: 'test' });

  const spoilt = (change: (message: Buffer) => void): Buffer => {
    const copy = Buffer.from(valid);
    change(copy);
    return copy;
  };

  test('malformed messages are derived from a message that gets a reply', async () => {
    expect(await exchange(under.server.port, valid)).toMatchObject({
      ok: 1,
      cursor: { firstBatch: [{ _id: 1 }] },
    });
  });

  test.each([
    ['a length below the header', spoilt((bytes) => bytes.writeInt32LE(3, 0))],
    ['a negative length', spoilt((bytes) => bytes.writeInt32LE(-1, 0))],
    ['a length above 48 MB without a known opcode', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['an unknown opcode', spoilt((bytes) => bytes.writeInt32LE(2099, 12))],
    ['OP_COMPRESSED, which was not negotiated', spoilt((bytes) => bytes.writeInt32LE(2012, 12))],
    ['an unknown required flag', spoilt((bytes) => bytes.writeUInt32LE(1 << 5, 16))],
    ['an unknown kind of section', spoilt((bytes) => bytes.writeUInt8(7, 20))],
    ['a document longer than its message', spoilt((bytes) => bytes.writeInt32LE(9999, 21))],
    ['a message without a body', Buffer.from(valid.subarray(0, 20)).fill(20, 0, 1)],
  ])('%s closes the connection', async (_, message) => {
    expect(await exchange(under.server.port, message)).toBeUndefined();
  });

  test('malformed messages with malformed BSON inside a valid frame are rejected with InvalidBSON (22)', async () => {
    const broken = spoilt((bytes) => bytes.writeUInt8(0x7e, 25));
    expect(await exchange(under.server.port, broken)).toMatchObject({ ok: 0, code: 22 });
  });

  test('malformed messages of the legacy type OP_QUERY get a reply for hello and are otherwise rejected', async () => {
    expect(await exchange(under.server.port, opQuery({ isMaster: 1 }))).toMatchObject({
      ok: 1,
      ismaster: true,
    });
    expect(await exchange(under.server.port, opQuery({ find: 'things' }))).toMatchObject({
      ok: 0,
      code: 352,
    });
  });

  test('neither stop the server nor affect another connection', async () => {
    const things = under.client.db('test').collection('things');
    const outcome = await fuzz(under.server.port, MESSAGES, SEED);
    expect(outcome.sent).toBeGreaterThanOrEqual(MESSAGES);
    expect(outcome.answered).toBeGreaterThan(0);
    expect(outcome.closed).toBeGreaterThan(0);
    expect(await things.findOne({ text: 'here' })).toEqual({ _id: 1, text: 'here' });
  }, 60_000);
});

function opQuery(query: object): Buffer {
  const message = opMsg(query);
  const head = Buffer.alloc(16 + 4 + 'test.$cmd\0'.length + 8);
  const bson = message.subarray(21);
  head.writeInt32LE(head.length + bson.length, 0);
  head.writeInt32LE(2004, 12);
  head.write('test.$cmd\0', 20, 'latin1');
  head.writeInt32LE(-1, head.length - 4);
  return Buffer.concat([head, bson]);
}

import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { heldBytes } from './support/held-bytes.ts';
import { startForTest } from './support/server-under-test.ts';
import { opMsg } from './support/wire-client.ts';

const MEGABYTE = 1024 * 1024;
const REQUESTS = 100;
/** All replies together take 300 MB. */
const DOCUMENTS_PER_REPLY = 3;
const MOST_HELD_BYTES = 128 * MEGABYTE;

test('a client that sends requests without reading the replies uses no memory, delays no other client, and gets all replies later', async () => {
  const { server, client } = await startForTest();
  const large = client.db('test').collection('large');
  await large.insertMany(Array.from({ length: DOCUMENTS_PER_REPLY }, () => ({ text: 'x'.repeat(MEGABYTE) })));
  const before = heldBytes();
  const socket = connect(server.port, '127.0.0.1');
  socket.pause();
  const request = opMsg({ find: 'large', $db: 'test' });
  for (let n = 0; n < REQUESTS; n++) socket.write(request);

  // The server replies to another client meanwhile.
  for (let n = 0; n < 50; n++) expect(await large.countDocuments({})).toBe(DOCUMENTS_PER_REPLY);
  expect(heldBytes() - before).toBeLessThan(MOST_HELD_BYTES);

  let received = 0;
  const wanted = REQUESTS * DOCUMENTS_PER_REPLY * MEGABYTE;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > wanted) resolve();
    });
    socket.resume();
  });
  expect(received).toBeGreaterThan(wanted);
  socket.destroy();
}, 60_000);

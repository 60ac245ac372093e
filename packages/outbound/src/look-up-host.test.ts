import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLookup, type Lookup } from './look-up-host.ts';

const TYPE_A = 1;
const NAME_ERROR = 3;
/** The second try waits twice as long. A shorter time could end before the response on a busy machine. */
const TIMEOUT_MS = 1_000;

let nameServer: Socket;
let opened: Lookup;
let closed: Lookup;
let pending = 0;

/** Says nothing of names under `silent`, that others do not exist under `missing`, and else that they are at 192.0.2.1, without IPv6. */
beforeAll(async () => {
  nameServer = createSocket('udp4', (query, peer) => {
    const { name, type, question } = parse(query);
    if (name.endsWith('.silent')) {
      pending += 1;
      return;
    }
    const addresses = type === TYPE_A && !name.endsWith('.missing') ? 1 : 0;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (name.endsWith('.missing') ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses, 6);
    const response = Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]);
    nameServer.send(
      Buffer.concat([header, question, ...(addresses > 0 ? [response] : [])]),
      peer.port,
      peer.address,
    );
  });
  nameServer.bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
  const servers = [`127.0.0.1:${nameServer.address().port}`];
  opened = createLookup({ allowPrivateInSandbox: true, servers, timeoutMs: TIMEOUT_MS });
  closed = createLookup({ allowPrivateInSandbox: false, servers, timeoutMs: TIMEOUT_MS });
});
afterAll(() => nameServer.close());

it('the look-up of a host is not delayed by names whose servers do not respond', async () => {
  const silent = Array.from({ length: 100 }, (_, index) =>
    closed(`hook${index}.silent`, 'sandbox').catch((error: { code: string }) => error.code),
  );
  const first = await Promise.race([...silent, closed('hooks.example', 'live')]);
  expect(first).toEqual(['192.0.2.1']);
  expect(pending).toBeGreaterThan(0);
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']));
});

it('the look-up of a host distinguishes a name that does not exist from one whose server does not respond', async () => {
  await expect(closed('hooks.missing', 'live')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it("the look-up of a host resolves the machine's own names only in a sandbox that allows private networks", async () => {
  expect(await opened('localhost', 'sandbox')).toContain('127.0.0.1');
  expect(await opened('localhost', 'live')).toEqual(['192.0.2.1']);
  expect(await closed('localhost', 'sandbox')).toEqual(['192.0.2.1']);
});

/** RFC 1035 §4.1: twelve bytes of header, then the name in parts, each after its length, its type and class. */
function parse(query: Buffer): { name: string; type: number; question: Buffer } {
  const parts: string[] = [];
  let at = 12;
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    parts.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: parts.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  };
}

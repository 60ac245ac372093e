import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../src/address-policy.ts';
import { createCheckedAgent } from '../src/checked-agent.ts';
import { createCheckedFetch } from '../src/checked-fetch.ts';
import { postOnce } from '../src/post-once.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
/** A host that is down in the tests: nothing listens there. */
const DOWN = ['127.0.0.2', '127.0.0.3'];

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

interface RawReceiver {
  port: number;
  /** Bodies of the requests. */
  received: string[];
  connections(): number;
}

/** Sends these bytes after each request, and then nothing, or the end of the connection. */
async function startReceiver(
  response: string,
  { host = '127.0.0.1', port = 0, ends = false } = {},
): Promise<RawReceiver> {
  const received: string[] = [];
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    cleanups.push(() => socket.destroy());
    let request = '';
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      request += chunk;
      if (!request.endsWith('{}')) return;
      received.push('{}');
      request = '';
      if (ends) socket.end(response, 'latin1');
      else socket.write(response, 'latin1');
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  cleanups.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, received, connections: () => connections };
}

/** Listens, and accepts nothing once its queue is full, so that a further connection waits as for a host that is down. */
async function startSilentListener(host: string): Promise<number> {
  const worker = new Worker(
    `const { createServer } = require('node:net');
     const server = createServer().listen({ port: 0, host: '${host}', backlog: 1 }, () => {
       require('node:worker_threads').parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  cleanups.push(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  for (const socket of [connect({ host, port }), connect({ host, port })]) {
    cleanups.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
  }
  return port;
}

function createAgent(addresses: string[], { allowsPrivate = true } = {}) {
  const policy = createAddressPolicy({ allowPrivateInSandbox: allowsPrivate, liveNetworks: [] });
  const asked: string[] = [];
  const lookup = async (hostname: string) => {
    asked.push(hostname);
    return addresses;
  };
  const agent = createCheckedAgent({ environment: 'sandbox', policy, lookup });
  cleanups.push(() => agent.close());
  return { agent, asked };
}

async function post(
  { agent }: Pick<ReturnType<typeof createAgent>, 'agent'>,
  port: number,
  deadlineMs = 4_000,
) {
  const { response, error } = await postOnce(agent, {
    url: `http://hooks.example:${port}/`,
    headers: {},
    body: Buffer.from('{}'),
    deadlineMs,
    maxResponseBytes: 1_000,
  });
  if (response === null) return error;
  return { status: response.status, body: response.body.toString(), truncated: response.truncated };
}

it.each([
  ['on ::1 alone, as a development server', ['127.0.0.1', '::1'], '::1'],
  ['on 127.0.0.1 alone', ['::1', '127.0.0.1'], '127.0.0.1'],
  ['while the addresses before are down', [...DOWN, '127.0.0.1'], '127.0.0.1'],
  [
    'while every address of the other family is down',
    [...Array.from({ length: 20 }, (_, index) => `127.0.1.${index}`), '::1'],
    '::1',
  ],
])('a host with several addresses is reached %s', async (_what, addresses, host) => {
  const receiver = await startReceiver(OK, { host });
  expect(await post(createAgent(addresses), receiver.port)).toMatchObject({ status: 200 });
  expect(receiver.received).toHaveLength(1);
});

it('a host with several addresses is reached within the deadline while another address drops packets', async () => {
  const port = await startSilentListener('127.0.0.2');
  const receiver = await startReceiver(OK, { port });
  const startedAt = performance.now();
  expect(await post(createAgent(['127.0.0.2', '127.0.0.1']), port)).toMatchObject({ status: 200 });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(receiver.received).toHaveLength(1);
});

it('a host with several addresses fails at the deadline when its only address drops packets', async () => {
  const port = await startSilentListener('127.0.0.2');
  const startedAt = performance.now();
  expect(await post(createAgent(['127.0.0.2']), port, 500)).toMatchObject({ code: 'timeout' });
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

it('a host with several addresses is called once when several addresses accept connections', async () => {
  const first = await startReceiver(OK, { host: '127.0.0.2' });
  const second = await startReceiver(OK, { host: '127.0.0.1', port: first.port });
  await post(createAgent(['127.0.0.2', '127.0.0.1']), first.port);
  expect([first.received.length, second.received.length, second.connections()]).toEqual([1, 0, 0]);
});

it('a host with several addresses does not get the request again at another address when the first breaks off', async () => {
  const first = await startReceiver('', { host: '127.0.0.2', ends: true });
  const second = await startReceiver(OK, { host: '127.0.0.1', port: first.port });
  expect(await post(createAgent(['127.0.0.2', '127.0.0.1']), first.port)).toMatchObject({
    code: 'connection',
  });
  expect([first.received.length, second.received.length]).toEqual([1, 0]);
});

it.each([
  ['the first', ['169.254.169.254', '127.0.0.1']],
  ['the last', [...DOWN, '127.0.0.1', '169.254.169.254']],
])(
  'a host with several addresses is not connected to when the policy rejects %s of them',
  async (_which, addresses) => {
    const receiver = await startReceiver(OK);
    expect(await post(createAgent(addresses), receiver.port)).toMatchObject({ code: 'refused' });
    expect(receiver.connections()).toBe(0);
  },
);

it('a host with several addresses is resolved once for all attempts of a connection', async () => {
  const receiver = await startReceiver(OK);
  const host = createAgent([...DOWN, '127.0.0.1']);
  await post(host, receiver.port);
  expect(host.asked).toEqual(['hooks.example']);
});

it('a host with several addresses fails with the error of the first address when no address accepts a connection', async () => {
  const { port } = await startReceiver(OK);
  expect(await post(createAgent(DOWN), port)).toEqual({
    code: 'connection',
    detail: 'The connection failed: ECONNREFUSED.',
  });
});

describe('a receiver', () => {
  const continues = 'HTTP/1.1 100 Continue\r\n\r\n';
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';

  it.each([
    ['100 Continue', continues],
    ['103 Early Hints', hints],
    ['several informational responses', hints + continues + continues],
  ])(
    'a receiver that sends %s first is called once, and its response is the next one',
    async (_what, informational) => {
      const receiver = await startReceiver(informational + OK);
      expect(await post(createAgent(['127.0.0.1']), receiver.port)).toEqual({
        status: 200,
        body: 'ok',
        truncated: false,
      });
      expect(receiver.received).toHaveLength(1);
    },
  );

  it.each([
    ['a shorter body than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok', 'ok', true],
    ['a longer body than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokay', 'ok', false],
    ['a body with 204', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok', '', false],
    [
      'a chunked body without its end',
      'HTTP/1.1 503 Busy\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok',
      'ok',
      true,
    ],
    ['an invalid chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', '', true],
    [
      'another protocol that nobody asked for',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      '',
      false,
    ],
  ])('a receiver that sends %s has responded with its status', async (_what, response, body, truncated) => {
    const receiver = await startReceiver(response, { ends: true });
    const status = Number(response.slice(9, 12));
    expect(await post(createAgent(['127.0.0.1']), receiver.port)).toEqual({ status, body, truncated });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    [
      '20 KB of headers',
      `HTTP/1.1 200 OK\r\nset-cookie: ${'a'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`,
      'The headers of the response are larger than 16 KiB.',
    ],
    [
      'contradictory lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      "The response is not valid HTTP/1.1: Transfer-Encoding can't be present with Content-Length.",
    ],
    [
      'no HTTP',
      'SSH-2.0-OpenSSH_9.6\r\n',
      'The response is not valid HTTP/1.1: Expected HTTP/, RTSP/ or ICE/.',
    ],
  ])('a receiver that sends %s fails with a result that says so', async (_what, response, detail) => {
    const receiver = await startReceiver(response);
    expect(await post(createAgent(['127.0.0.1']), receiver.port)).toEqual({ code: 'protocol', detail });
    expect(receiver.received).toHaveLength(1);
  });
});

it('a document that breaks off is not fetched', async () => {
  const receiver = await startReceiver('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n[]', { ends: true });
  const { agent } = createAgent(['127.0.0.1']);
  const fetch = createCheckedFetch(agent, { maxBytes: 1_000 });
  const signal = AbortSignal.timeout(4_000);
  const fetched = fetch(`http://hooks.example:${receiver.port}/`, {
    method: 'POST',
    headers: {},
    body: '{}',
    signal,
  });
  await expect(fetched).rejects.toThrow();
});

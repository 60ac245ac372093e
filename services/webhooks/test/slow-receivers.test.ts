import type { ServerResponse } from 'node:http';
import { createAddressPolicy } from '@tollgate/outbound/address-policy';
import { type CheckedAgent, createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { systemLookup } from '@tollgate/outbound/look-up-host';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sendWebhook } from '../src/sending/send-webhook.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const DEADLINE_MS = 500;

let receiver: Receiver;
let agent: CheckedAgent;

beforeAll(async () => {
  receiver = await startReceiver();
  const policy = createAddressPolicy({ allowPrivateInSandbox: true, liveNetworks: [] });
  agent = createCheckedAgent({ environment: 'sandbox', policy, lookup: systemLookup });
});
afterAll(async () => {
  await agent.close();
  await receiver.stop();
});

const send = (deadlineMs?: number) =>
  sendWebhook(agent, {
    url: receiver.url,
    headers: {},
    body: Buffer.from('{}'),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });

function drip(_request: unknown, response: ServerResponse): void {
  response.writeHead(200);
  const dripping = setInterval(() => response.write('.'), DEADLINE_MS / 10);
  response.on('close', () => clearInterval(dripping));
}

it.each([
  ['never responds', () => undefined],
  ['responds with 200 and then sends one byte after the other', drip],
])('a receiver that %s is cut off at the deadline, and its connection is closed', async (_title, answer) => {
  receiver.answer = answer;
  const startedAt = performance.now();
  const result = await send(DEADLINE_MS);
  expect(performance.now() - startedAt).toBeGreaterThan(DEADLINE_MS - 50);
  expect(result).toMatchObject({ response: null, error: { code: 'timeout' } });
  await eventually('no request is open', () => receiver.concurrent().now === 0);
});

it('a receiver has 15 seconds in total by default', async () => {
  receiver.answer = () => undefined;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const sending = send();
  const end = vi.fn();
  void sending.then(end);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  const detail = 'No complete response was received within 15 s.';
  expect((await sending).error).toEqual({ code: 'timeout', detail });
});

it('a receiver that closes the connection, or does not speak HTTP, fails with its own error code', async () => {
  receiver.answer = (_request, response) => response.socket?.destroy();
  expect((await send()).error?.code).toBe('connection');
  receiver.answer = (_request, response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
  expect((await send()).error?.code).toBe('protocol');
});

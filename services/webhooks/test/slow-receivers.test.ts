import { createAddressPolicy } from '@tollgate/outbound/address-policy';
import { createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { systemLookup } from '@tollgate/outbound/look-up-host';
import { eventually } from '@tollgate/test-kit/eventually';
import type { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendWebhook, TOTAL_DEADLINE_MS } from '../src/sending/send-webhook.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let agent: Agent;

beforeAll(async () => {
  receiver = await startReceiver();
  const policy = createAddressPolicy({ allowPrivateInSandbox: true, liveNetworks: [] });
  agent = createCheckedAgent({ environment: 'sandbox', policy, lookup: systemLookup });
});
afterAll(async () => {
  await agent.close();
  await receiver.stop();
});

async function send(deadlineMs: number) {
  const startedAt = performance.now();
  const result = await sendWebhook(agent, {
    url: receiver.url,
    headers: {},
    body: Buffer.from('{}'),
    deadlineMs,
  });
  return { result, durationMs: performance.now() - startedAt };
}

describe('a receiver', () => {
  it.each([
    ['never responds', () => undefined],
    [
      'responds with 200 and then sends one byte per second',
      (_request: unknown, response: import('node:http').ServerResponse) => {
        response.writeHead(200);
        const dripping = setInterval(() => response.write('.'), 1_000);
        response.on('close', () => clearInterval(dripping));
      },
    ],
  ])('that %s is cut off at the deadline, and its connection is closed', async (_title, answer) => {
    receiver.answer = answer;
    const { result, durationMs } = await send(2_500);
    expect(result).toMatchObject({ response: null, error: { code: 'timeout' } });
    expect(durationMs).toBeGreaterThanOrEqual(2_450);
    expect(durationMs).toBeLessThan(4_000);
    await eventually('no request is open', () => receiver.concurrent().now === 0);
  });

  it('that sends one byte per second is cut off after 15 seconds in total', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write('.'), 1_000);
      response.on('close', () => clearInterval(dripping));
    };
    const { durationMs } = await send(TOTAL_DEADLINE_MS);
    expect(durationMs).toBeGreaterThan(14_900);
    expect(durationMs).toBeLessThan(15_500);
  }, 30_000);

  it('that closes the connection, or does not speak HTTP, fails with its own error code', async () => {
    receiver.answer = (_request, response) => response.socket?.destroy();
    expect((await send(2_000)).result.error?.code).toBe('connection');
    receiver.answer = (_request, response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
    expect((await send(2_000)).result.error?.code).toBe('protocol');
  });
});

import { newId } from '@tollgate/contracts/platform/ids';
import { systemClock } from '@tollgate/runtime/clock';
import { expect, it } from 'vitest';
import { newWebhookSecret } from '../src/secrets/signing-secret.ts';
import { signatureHeaders } from '../src/signing/sign-webhook.ts';
import { createEndpointBook } from './endpoint-book.ts';
import { startReceiver } from './receiver.ts';

const endpoints = createEndpointBook(systemClock);
const body = Buffer.from('{}');

it.each([
  ['by an endpoint of another URL', { url: 'http://127.0.0.1:1/hooks' }],
  ['over another body', { signed: Buffer.from('{ }') }],
  ['more than five minutes ago', { ageS: 301 }],
] as const)('a receiver of these tests takes nothing that was signed %s', async (_title, wrong) => {
  const {
    url,
    signed,
    ageS = 0,
  } = { url: undefined, signed: body, ...wrong } as {
    url?: string;
    signed: Buffer;
    ageS?: number;
  };
  const receiver = await startReceiver({ verify: endpoints.verify });
  const secret = newWebhookSecret();
  endpoints.note({ id: newId('webhookEndpoint'), url: url ?? receiver.url, secret });
  const timestampS = Math.floor(Date.now() / 1000) - ageS;
  const headers = signatureHeaders({ id: newId('event'), timestampS, body: signed }, [secret]);
  const { status } = await fetch(receiver.url, { method: 'POST', headers, body });
  expect([status, receiver.received]).toEqual([401, []]);
  await expect(receiver.stop()).rejects.toThrow('none of its');
});

it('the test receiver accepts requests signed for an endpoint with its URL', async () => {
  const receiver = await startReceiver({ verify: endpoints.verify });
  const secret = newWebhookSecret();
  endpoints.note({ id: newId('webhookEndpoint'), url: receiver.url, secret });
  const timestampS = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: newId('event'), timestampS, body }, [secret]);
  expect((await fetch(receiver.url, { method: 'POST', headers, body })).status).toBe(204);
  await receiver.stop();
});

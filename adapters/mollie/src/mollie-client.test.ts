import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readMollieConfig } from './config.ts';
import { connectToMollie } from './mollie-client.ts';

const API_KEY = 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM';

it('the requests of the library go through the transport of the adapter, with the key and the idempotency key in headers', async () => {
  const { url, received } = await listen({ status: 201, body: '{"resource":"payment","id":"tr_1"}' });
  const mollie = connect(url);

  await mollie.payments.create({
    amount: { currency: 'EUR', value: '1.00' },
    description: 'x',
    redirectUrl: 'https://x',
    idempotencyKey: 'pay_1',
  });

  expect(received).toHaveLength(1);
  expect(received[0]?.headers).toMatchObject({
    authorization: `Bearer ${API_KEY}`,
    'idempotency-key': 'pay_1',
    'user-agent': 'Tollgate/1',
  });
  expect(received[0]?.body).not.toContain('pay_1');
  expect(received[0]?.url).toBe('/v2/payments');
});

it('the requests of the library never follow a redirect, which would receive the key', async () => {
  const other = await listen({ status: 200, body: '{}' });
  const { url } = await listen({ status: 307, body: '', headers: { location: other.url } });

  await expect(connect(url).payments.get('tr_1')).rejects.toThrow();

  expect(other.received).toEqual([]);
});

it('the requests of the library go to the configured host only, also when a page links to another', async () => {
  const other = await listen({ status: 200, body: '{}' });
  const next = { href: `${other.url}payments?from=tr_2`, type: 'application/hal+json' };
  const page = { _embedded: { payments: [] }, _links: { next } };
  const { url, received } = await listen({ status: 200, body: JSON.stringify(page) });

  const first = await connect(url).payments.page({ limit: 1 });
  await first.nextPage?.();
  const iterated = connect(url).payments.iterate();

  await expect(iterated.next()).rejects.toThrow('leads to another host');
  expect(other.received).toEqual([]);
  expect(received).toHaveLength(3);
});

it('the requests of the library fail with an error that does not contain the key', async () => {
  const { url } = await listen({ status: 500, body: 'no JSON' });

  const error: Error = await connect(url)
    .payments.get('tr_1')
    .catch((thrown) => thrown);

  expect(error.message).toBe('Mollie responded with 500 and no error body.');
  expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(API_KEY);
});

function connect(apiUrl: string) {
  const config = readMollieConfig({
    MOLLIE_API_KEY: API_KEY,
    MOLLIE_API_URL: apiUrl,
    MOLLIE_WEBHOOK_URL: 'https://adapter.example/webhooks',
  });
  return connectToMollie(config, new AbortController().signal);
}

async function listen(response: { status: number; body: string; headers?: Record<string, string> }) {
  const received: { url: string | undefined; headers: object; body: string }[] = [];
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
    reply.writeHead(response.status, response.headers).end(response.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`, received };
}

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createAddressPolicy, parseNetwork } from '@tollgate/outbound/address-policy';
import { createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendWebhook } from '../src/sending/send-webhook.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';

let server: Server;
let port: number;
const requests: { servername: string | false; version: string; host: string | undefined }[] = [];
let connections = 0;

beforeAll(async () => {
  server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
    const { servername } = request.socket as TLSSocket & { servername: string | false };
    requests.push({ servername, version: request.httpVersion, host: request.headers.host });
    response.writeHead(204).end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

async function send(hostname: string, options: { ca?: string; environment?: 'live' | 'sandbox' } = {}) {
  const { environment = 'sandbox', ...trust } = options;
  const policy = createAddressPolicy({
    allowPrivateInSandbox: true,
    liveNetworks: [parseNetwork('127.0.0.0/8')],
  });
  // Nothing listens at the first address.
  const lookup = async () => ['127.0.0.2', '127.0.0.1'];
  const agent = createCheckedAgent({ environment, policy, lookup, ...trust });
  const url = `https://${hostname}:${port}/`;
  const result = await sendWebhook(agent, { url, headers: {}, body: Buffer.from('{}') });
  await agent.close();
  return result;
}

it('HTTPS speaks HTTP/1.1 to the checked address, and verifies the certificate for the host name', async () => {
  const { response, error } = await send('hooks.example', { ca: CERTIFICATE });
  expect([response?.status, error]).toEqual([204, null]);
  expect(requests).toEqual([{ servername: 'hooks.example', version: '1.1', host: `hooks.example:${port}` }]);
});

it.each([
  ['of another name', 'other.example', CERTIFICATE],
  ['of the name, but for an address', '127.0.0.1', CERTIFICATE],
  ['that nobody vouches for', 'hooks.example', undefined],
])('HTTPS with a certificate %s is not sent over', async (_title, hostname, ca) => {
  const before = requests.length;
  const { error } = await send(hostname, ca === undefined ? {} : { ca });
  expect(error?.code).toBe('tls');
  expect(requests).toHaveLength(before);
});

it('HTTPS rejects ports other than 443 and 8443 in live before it connects', async () => {
  const before = connections;
  const { error } = await send('hooks.example', { ca: CERTIFICATE, environment: 'live' });
  expect([error?.code, error?.detail]).toEqual(['refused', expect.stringContaining('443 or 8443')]);
  expect(connections).toBe(before);
});

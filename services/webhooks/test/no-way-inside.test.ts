import { networkInterfaces } from 'node:os';
import { rejection } from '@tollgate/bus/test/rejection';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { createAddressPolicy } from '@tollgate/outbound/address-policy';
import { createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { newWebhookSecret } from '../src/secrets/signing-secret.ts';
import { sendWebhook } from '../src/sending/send-webhook.ts';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import { HOSTILE_ADDRESSES, HOSTILE_RESPONSES, LIVE_ONLY, MALFORMED } from './hostile-urls.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type SocketWatch, watchSockets } from './socket-watch.ts';

let harness: Harness;
let service: Service;
let application: TestApplication;
let canaries: Receiver[];
let port: string;
/** Sees what no canary can: that nobody is called at an address which this machine does not have. */
let sockets: SocketWatch;
/** What the name server returns; a list of responses is given one after the other, the last permanently. */
const responses = new Map<string, string[][]>();
const asked: string[] = [];

beforeAll(async () => {
  harness = await startHarness();
  application = await harness.anApplication();
  const first = await harness.startReceiver({ host: '0.0.0.0' });
  port = new URL(first.url).port;
  canaries = [first];
  for (const host of ['::1', ...linkLocalHosts()]) {
    const canary = await harness.startReceiver({ host, port: Number(port) }).catch(() => null);
    if (canary) canaries.push(canary);
  }
  sockets = watchSockets();
  responses.set('own-link-local.example', [linkLocalHosts().length > 0 ? linkLocalHosts() : ['fe80::1']]);
  service = await harness.startService({
    addresses: { allowPrivateInSandbox: false, liveNetworks: [] },
    async lookup(hostname) {
      asked.push(hostname);
      const name = hostname.replace(/\.$/, '').toLowerCase();
      if (/(^|\.)localhost$/.test(name) || name === 'ip6-localhost') return ['127.0.0.1', '::1'];
      const queue = responses.get(name) ?? [HOSTILE_RESPONSES[name] ?? ['1.1.1.1']];
      return (queue.length > 1 ? queue.shift() : queue[0]) ?? [];
    },
  });
});
/** IPv6 link-local addresses of this machine. Those of IPv4 are listened on as part of 0.0.0.0. */
function linkLocalHosts(): string[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.filter(({ address }) => address.startsWith('fe80:')).map(({ address }) => `${address}%${name}`),
  );
}
afterAll(async () => {
  sockets.stop();
  for (const canary of canaries) await canary.stop();
  await harness.stop();
});

const withPort = (url: string) => url.replace('{port}', port);
const connections = () => canaries.reduce((sum, canary) => sum + canary.connections(), 0);
/** Connections that this process has begun, but for those to NATS and MongoDB. */
const begun = () => {
  const own = [harness.infra.natsUrl, harness.infra.mongodbUrl].map((url) => new URL(url).port);
  return sockets.connects.filter((address) => !own.some((ownPort) => address.endsWith(`:${ownPort}`)));
};
const create = (url: string, environment: Environment = 'sandbox') =>
  harness.anEndpoint(application, url, { environment });
const httpsForm = (url: string) => url.replace(/^http:/, 'https:').replace(/:\{port\}/, '');
const ENVIRONMENTS = ['sandbox', 'live'] as const;
const NAMES = Object.keys(HOSTILE_RESPONSES);

/** Lines that were logged since then, of this message. */
const loggedSince = (count: number, message: string) =>
  harness.logLines
    .slice(count)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);

/** The URL is not saved, the member is told where and the log why. */
async function expectNotSaved(url: string, environment: Environment): Promise<void> {
  const before = harness.logLines.length;
  const { code, errors } = await rejection(create(url, environment));
  expect([code, errors?.[0]?.pointer]).toEqual(['invalid-request', '/url']);
  expect(loggedSince(before, 'rejected a webhook URL')).toMatchObject([
    { level: 'warn', environment, reason: expect.stringMatching(/\w+ \w+/) },
  ]);
}

it('the socket watch notices connections of this process, with and without TLS', async () => {
  const policy = createAddressPolicy({ allowPrivateInSandbox: true, liveNetworks: [] });
  const agent = createCheckedAgent({ environment: 'sandbox', policy, lookup: async () => ['127.0.0.1'] });
  const receiver = await startReceiver();
  const { port: receiverPort } = new URL(receiver.url);
  for (const protocol of ['http', 'https']) {
    const url = `${protocol}://name.example:${receiverPort}/`;
    await sendWebhook(agent, { url, headers: {}, body: Buffer.from('{}') });
  }
  await agent.close();
  await receiver.stop();
  expect(begun()).toEqual([`127.0.0.1:${receiverPort}`, `127.0.0.1:${receiverPort}`]);
  sockets.connects.length = 0;
});

describe(`${HOSTILE_ADDRESSES.length} hostile URLs and ${NAMES.length} hostile DNS responses`, () => {
  it.each(HOSTILE_ADDRESSES)('%s is rejected when it is saved', async (url) => {
    await expectNotSaved(withPort(url), 'sandbox');
    await expectNotSaved(httpsForm(url), 'live');
  });

  it.each(MALFORMED)('%j is rejected for its form', async (url) => {
    const before = asked.length;
    for (const environment of ENVIRONMENTS) await expectNotSaved(withPort(url), environment);
    expect(asked).toHaveLength(before);
  });

  it.each(LIVE_ONLY)('%s is rejected in live', async (url) => {
    await expectNotSaved(withPort(url), 'live');
  });

  it.each(NAMES)('a name that resolves as %s does is rejected when it is saved', async (name) => {
    await expectNotSaved(`http://${name}:${port}/`, 'sandbox');
    await expectNotSaved(`https://${name}/`, 'live');
  });

  it.each(ENVIRONMENTS)(
    `${HOSTILE_ADDRESSES.length} hostile URLs and ${NAMES.length} hostile DNS responses are also rejected at the connection in %s, with the reason in the delivery log and the log`,
    async (environment) => {
      const isLive = environment === 'live';
      const urls = [
        ...HOSTILE_ADDRESSES.map((url) => (isLive ? httpsForm(url) : withPort(url))),
        ...[...NAMES, 'own-link-local.example'].map((name) =>
          isLive ? `https://${name}/` : `http://${name}:${port}/`,
        ),
      ];
      await storeEndpoints(environment, urls);
      const logged = harness.logLines.length;
      const event = anEvent(application, { environment });
      await service.app.fanOut(event);
      const deliveries = () => service.connection.collection('deliveries').find({ event_id: event.id });
      await eventually('each was attempted', async () => {
        const attempts = (await deliveries().toArray()).map((delivery) => delivery['attempt_count']);
        return attempts.length === urls.length && attempts.every((count) => count === 1);
      });
      const lines = loggedSince(logged, 'the address policy rejected a delivery');
      const attempted: string[] = [];
      for (const { _id, endpoint_id } of await deliveries().toArray()) {
        const ref = { delivery_id: String(_id) };
        const [attempt] = (await harness.call(application.viewer, contract.getDelivery, ref)).attempt_log;
        attempted.push(attempt?.url ?? '');
        expect(attempt?.error?.code, attempt?.url).toBe('refused');
        expect(attempt?.error?.detail).toMatch(/^Sending to .+ is not allowed: it is .+\.$/);
        expect(lines.find((line) => line['endpoint_id'] === endpoint_id)).toMatchObject({
          level: 'warn',
          event_id: event.id,
          reason: attempt?.error?.detail,
        });
      }
      expect(attempted.toSorted()).toEqual(urls.toSorted());
    },
  );

  it(`${HOSTILE_ADDRESSES.length} hostile URLs and ${NAMES.length} hostile DNS responses start no connection, to a canary or anywhere else`, () => {
    expect(HOSTILE_ADDRESSES.length + NAMES.length).toBeGreaterThanOrEqual(60);
    expect(begun()).toEqual([]);
    expect(connections()).toBe(0);
  });
});

/** Stores an endpoint of a new application for each URL, without the check of a creation. */
async function storeEndpoints(environment: Environment, urls: string[]): Promise<void> {
  application = await harness.anApplication();
  const { id } = await create('https://harmless.example/', environment);
  const endpoints = service.connection.collection<Endpoint>('endpoints');
  const [document] = await endpoints.find({ _id: id }).toArray();
  await endpoints.deleteOne({ _id: id });
  const template = document as Endpoint;
  const copies = urls.map((url, index) => {
    const _id = newId('webhookEndpoint');
    const sealed = service.app.context.cipher.seal(newWebhookSecret(), _id);
    return {
      ...template,
      _id,
      url,
      slot: index + 1,
      secrets: template.secrets.map((one) => ({ ...one, sealed })),
      event_types: ['payment.succeeded' as const],
      outbox: [],
    };
  });
  await endpoints.insertMany(copies);
}

it('DNS rebinding has no effect: the connection goes to the checked address, and a later DNS response is checked again', async () => {
  application = await harness.anApplication();
  // Harmless when saved; then loopback for the connection.
  responses.set('rebinding.example', [['1.1.1.1'], ['127.0.0.1']]);
  await harness.anEndpoint(application, `http://rebinding.example:${port}/`, {
    event_types: ['payment.failed'],
  });
  const event = anEvent(application, { type: 'payment.failed' });
  const before = asked.filter((name) => name === 'rebinding.example').length;
  await service.app.fanOut(event);
  await eventually('it was rejected', async () => {
    const { data } = await harness.call(application.viewer, contract.listDeliveries, {
      event_id: event.id,
    });
    return data.length === 1 && data.every(({ attempts }) => attempts === 1);
  });
  expect(begun()).toEqual([]);
  expect(connections()).toBe(0);
  // One look-up for one attempt: nothing resolves the name again between check and connection.
  expect(asked.filter((name) => name === 'rebinding.example').length - before).toBe(1);
});

import * as contract from '@tollgate/contracts/rpc/webhooks';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anEvent,
  type Harness,
  refusal,
  type Service,
  startHarness,
  type TestApplication,
} from './harness.ts';
import { HOSTILE_ADDRESSES, HOSTILE_ANSWERS, LIVE_ONLY, MALFORMED } from './hostile-urls.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let harness: Harness;
let service: Service;
let application: TestApplication;
let canaries: Receiver[];
let port: string;
/** What the name server answers; a list of answers is given one after the other, the last for ever. */
const answers = new Map<string, string[][]>();
const asked: string[] = [];

beforeAll(async () => {
  harness = await startHarness();
  application = await harness.anApplication();
  const first = await startReceiver({ host: '0.0.0.0' });
  port = new URL(first.url).port;
  const second = await startReceiver({ host: '::1', port: Number(port) }).catch(() => null);
  canaries = second ? [first, second] : [first];
  service = await harness.startService({
    addresses: { allowPrivateInSandbox: false, liveNetworks: [] },
    async lookup(hostname) {
      asked.push(hostname);
      const name = hostname.replace(/\.$/, '').toLowerCase();
      if (/(^|\.)localhost$/.test(name) || name === 'ip6-localhost') return ['127.0.0.1', '::1'];
      const queue = answers.get(name) ?? [HOSTILE_ANSWERS[name] ?? ['1.1.1.1']];
      return (queue.length > 1 ? queue.shift() : queue[0]) ?? [];
    },
  });
});
afterAll(async () => {
  for (const canary of canaries) await canary.stop();
  await harness.stop();
});

const withPort = (url: string) => url.replace('{port}', port);
const connections = () => canaries.reduce((sum, canary) => sum + canary.connections(), 0);
const create = (url: string, environment: 'live' | 'sandbox' = 'sandbox') =>
  harness.anEndpoint(application, url, { environment });
const httpsForm = (url: string) => url.replace(/^http:/, 'https:').replace(/:\{port\}/, '');

describe(`${HOSTILE_ADDRESSES.length} hostile URLs and ${Object.keys(HOSTILE_ANSWERS).length} hostile DNS answers`, () => {
  it.each(HOSTILE_ADDRESSES)('%s is refused when it is saved', async (url) => {
    const { code, errors } = await refusal(create(withPort(url)));
    expect([code, errors?.[0]?.pointer]).toEqual(['invalid-request', '/url']);
    expect((await refusal(create(httpsForm(url), 'live'))).code).toBe('invalid-request');
  });

  it.each(MALFORMED)('%j is refused for what it is', async (url) => {
    const before = asked.length;
    for (const environment of ['live', 'sandbox'] as const)
      expect((await refusal(create(withPort(url), environment))).code).toBe('invalid-request');
    expect(asked).toHaveLength(before);
  });

  it.each(LIVE_ONLY)('%s is refused in live', async (url) => {
    expect((await refusal(create(withPort(url), 'live'))).code).toBe('invalid-request');
  });

  it.each(Object.keys(HOSTILE_ANSWERS))(
    'a name that resolves as %s does is refused when it is saved',
    async (name) => {
      expect((await refusal(create(`http://${name}:${port}/`))).code).toBe('invalid-request');
      expect((await refusal(create(`https://${name}/`, 'live'))).code).toBe('invalid-request');
    },
  );

  it('are refused by the connector too when they were saved somehow, each with its reason in the delivery log and the log', async () => {
    const endpoint = await create('http://harmless.example/');
    const collection = service.connection.collection<{ _id: string }>('endpoints');
    const hostile = [
      ...HOSTILE_ADDRESSES.map(withPort),
      ...Object.keys(HOSTILE_ANSWERS).map((name) => `http://${name}:${port}/`),
    ];
    for (const url of hostile) {
      await collection.updateOne({ _id: endpoint.id }, { $set: { url }, $inc: { version: 1 } });
      // Older than what an instance keeps of an endpoint.
      harness.clock.advance(1_000);
      const logged = harness.logLines.length;
      const event = anEvent(application);
      await service.app.fanOut(event);
      let attempt: { url: string; error: { code: string; detail: string } | null } | undefined;
      await eventually(`a delivery to ${url} was attempted`, async () => {
        const { data } = await harness.call(application.viewer, contract.listDeliveries, {
          event_id: event.id,
        });
        const { attempt_log: log } = await harness.call(application.viewer, contract.getDelivery, {
          delivery_id: data[0]?.id as string,
        });
        attempt = log[0];
        return attempt !== undefined;
      });
      expect(attempt?.url).toBe(url);
      expect(attempt?.error?.code, url).toBe('refused');
      expect(attempt?.error?.detail).toMatch(/^Nothing is sent to .+: it is .+\.$/);
      const line = harness.logLines.slice(logged).find((text) => text.includes('address policy'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'warn', reason: attempt?.error?.detail });
    }
    expect(connections()).toBe(0);
  });

  it('make no connection, to any of the canaries', () => {
    expect(HOSTILE_ADDRESSES.length + Object.keys(HOSTILE_ANSWERS).length).toBeGreaterThanOrEqual(60);
    expect(connections()).toBe(0);
  });
});

describe('DNS rebinding', () => {
  it('gains nothing: the connection goes to the address that was checked, and a later answer is checked anew', async () => {
    // Harmless when saved; then loopback for the connection.
    answers.set('rebinding.example', [['1.1.1.1'], ['127.0.0.1']]);
    await harness.anEndpoint(application, `http://rebinding.example:${port}/`, {
      event_types: ['payment.failed'],
    });
    const event = anEvent(application, { type: 'payment.failed' });
    const before = asked.filter((name) => name === 'rebinding.example').length;
    await service.app.fanOut(event);
    await eventually('it was refused', async () => {
      const { data } = await harness.call(application.viewer, contract.listDeliveries, {
        event_id: event.id,
      });
      return data.length === 2 && data.every(({ attempts }) => attempts === 1);
    });
    expect(connections()).toBe(0);
    // One look-up for one attempt: nothing resolves the name again between check and connection.
    expect(asked.filter((name) => name === 'rebinding.example').length - before).toBe(1);
  });
});

import type { WebhookBody } from '@tollgate/contracts/payments/event-types';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { runInTrace } from '@tollgate/tracing/current-trace';
import { newTraceContext } from '@tollgate/tracing/trace-context';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
});
afterEach(() => receiver.stop());

const deliveriesOf = async (endpointId: string) =>
  (await harness.call(application.viewer, contract.listDeliveries, { endpoint_id: endpointId })).data;
const theDelivery = async (endpointId: string) => {
  const [delivery, ...others] = await deliveriesOf(endpointId);
  expect(others).toEqual([]);
  return delivery as NonNullable<typeof delivery>;
};
const detailOf = (deliveryId: string) =>
  harness.call(application.developer, contract.getDelivery, { delivery_id: deliveryId });
const status = async (endpointId: string) => (await theDelivery(endpointId)).status;
const received = (count: number) =>
  eventually(`${count} requests came`, () => receiver.received.length === count);

/** Moves the clock to when the delivery is due, and lets the dispatcher look. */
async function tryAgain(endpointId: string): Promise<void> {
  const { next_attempt_at } = await theDelivery(endpointId);
  harness.clock.set(Date.parse(next_attempt_at as string));
  await service.app.dispatcher.sweep();
}

/** Log lines that contain this id, without the debug level. */
const loggedAbout = (id: string) =>
  harness.logLines
    .filter((line) => line.includes(id))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ level }) => level !== 'debug');

/** The field names of all documents in the value, at any depth. */
function fieldNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(fieldNames);
  return Array.isArray(value) ? within : [...Object.keys(value), ...within];
}

it('an event is POSTed once to each subscribed endpoint, with the payment as it was, signed for the official library', async () => {
  const other = await harness.startReceiver();
  const endpoint = await harness.anEndpoint(application, receiver.url);
  await harness.anEndpoint(application, other.url, { event_types: ['payment.failed'] });
  const event = anEvent(application);
  await harness.publish(event);
  await received(1);
  const [request] = receiver.received as [Receiver['received'][number]];
  expect(request.method).toBe('POST');
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': event.id,
    'user-agent': 'Tollgate-Webhooks/1',
  });
  const headers = request.headers as Record<string, string>;
  const body = new Webhook(endpoint.secret).verify(request.body.toString(), headers) as WebhookBody;
  expect(body).toEqual({
    type: 'payment.succeeded',
    timestamp: event.occurred_at,
    data: { ...event.data, application_id: application.id },
  });
  await eventually('it succeeded', async () => (await status(endpoint.id)) === 'succeeded');
  expect(other.received).toEqual([]);
  await other.stop();
});

it('an event of any type is delivered to an endpoint with *', async () => {
  await harness.anEndpoint(application, receiver.url, { event_types: ['*'] });
  const events = PAYMENT_EVENT_TYPES.map((type) => anEvent(application, { type }));
  for (const event of events) await service.app.fanOut(event);
  await received(events.length);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
});

it('an event passes its trace on to the receiver, in every attempt, and has none if no request caused it', async () => {
  const trace = newTraceContext();
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => {
    response.writeHead(receiver.received.length === 1 ? 500 : 204).end();
  };
  await runInTrace(trace, () => service.app.fanOut(anEvent(application)));
  await received(1);
  await eventually('it failed', async () => (await theDelivery(endpoint.id)).attempts === 1);
  await tryAgain(endpoint.id);
  await received(2);
  await service.app.fanOut(anEvent(application));
  await received(3);
  const sent = receiver.received.map(({ headers }) => headers['traceparent']);
  expect(sent).toEqual([trace.traceparent, trace.traceparent, undefined]);
});

it('an event that is received several times is one delivery', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  const event = anEvent(application);
  const { fanOut } = service.app;
  await Promise.all(Array.from({ length: 10 }, () => fanOut(event)));
  await eventually('it succeeded', async () => (await status(endpoint.id)) === 'succeeded');
  await fanOut(event);
  expect(await deliveriesOf(endpoint.id)).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
});

it('an event of another team, application, or environment is not sent', async () => {
  await harness.anEndpoint(application, receiver.url);
  const { fanOut } = service.app;
  const other = await harness.anApplication();
  await fanOut(anEvent(other));
  await fanOut(anEvent({ teamId: other.teamId, id: application.id }));
  await fanOut(anEvent(application, { environment: 'live' }));
  const wanted = anEvent(application);
  await fanOut(wanted);
  await received(1);
  expect(receiver.received[0]?.headers['webhook-id']).toBe(wanted.id);
});

it('a failed attempt is stored with request and response, and retried with the same id and bytes until one succeeds', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(500, { 'x-why': 'down' }).end('not now');
  const event = anEvent(application);
  await service.app.fanOut(event);
  await eventually('it failed once', async () => (await theDelivery(endpoint.id)).attempts === 1);
  receiver.answer = (_request, response) => response.writeHead(200).end('thanks');
  await tryAgain(endpoint.id);
  await eventually('it succeeded', async () => (await status(endpoint.id)) === 'succeeded');

  const [first, second] = receiver.received as [Receiver['received'][number], Receiver['received'][number]];
  expect(second.body.equals(first.body)).toBe(true);
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  const { attempt_log: log, id } = await detailOf((await theDelivery(endpoint.id)).id);
  expect(log.map(({ number, succeeded }) => [number, succeeded])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(log[0]).toMatchObject({
    url: receiver.url,
    error: { code: 'status' },
    request_headers: { 'webhook-id': event.id },
    response: { status: 500, bytes: 7, truncated: false },
  });
  expect(log[0]?.response?.headers).toMatchObject({ 'x-why': 'down' });
  const ref = { delivery_id: id, attempt_id: log[0]?.id as string };
  const attempt = await harness.call(application.developer, contract.getAttempt, ref);
  expect(attempt.response_body).toBe('not now');
  expect(attempt.request_body).toBe(first.body.toString());
});

it('a failed attempt shows its response to a developer, and only the status to a viewer', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(500, { 'x-secret': 'inside' }).end('inside');
  await service.app.fanOut(anEvent(application));
  await eventually('it failed once', async () => (await theDelivery(endpoint.id)).attempts === 1);
  const { id: delivery_id } = await theDelivery(endpoint.id);
  const read = async (role: 'viewer' | 'developer') => {
    const delivery = await harness.call(application[role], contract.getDelivery, { delivery_id });
    const ref = { delivery_id, attempt_id: delivery.attempt_log[0]?.id as string };
    return JSON.stringify([delivery, await harness.call(application[role], contract.getAttempt, ref)]);
  };
  expect(await read('developer')).toMatch(/"x-secret":"inside".*"response_body":"inside"/);
  expect(await read('viewer')).toContain('"status":500');
  expect(await read('viewer')).not.toContain('inside');
});

it('a failed attempt is stored for any header names of the response', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  const headers = { $set: '1', 'a.b.c': '2', constructor: '3' };
  receiver.answer = (_request, response) => response.writeHead(500, headers).end();
  await service.app.fanOut(anEvent(application));
  await eventually('it failed once', async () => (await theDelivery(endpoint.id)).attempts === 1);
  const { attempt_log: log, id } = await detailOf((await theDelivery(endpoint.id)).id);
  expect(log[0]?.response?.headers).toMatchObject(headers);
  const stored = await service.connection.collection('deliveries').findOne({ _id: id as never });
  for (const name of fieldNames(stored)) expect(name).toMatch(/^[a-z_]+$/);
  expect(fieldNames(stored)).not.toContain('constructor');
});

it('a failed attempt is retried in the sandbox after each delay of the schedule, then the delivery fails', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(503).end();
  await service.app.fanOut(anEvent(application));
  const pauses: number[] = [];
  const left: number[] = [];
  const readLeft = async () => left.push((await detailOf((await theDelivery(endpoint.id)).id)).attempts_left);
  for (let attempts = 1; attempts < 3; attempts += 1) {
    await eventually('it was tried', async () => (await theDelivery(endpoint.id)).attempts === attempts);
    await readLeft();
    pauses.push(Date.parse((await theDelivery(endpoint.id)).next_attempt_at as string) - harness.clock.now());
    await tryAgain(endpoint.id);
  }
  await eventually('it failed permanently', async () => (await status(endpoint.id)) === 'failed');
  await readLeft();
  expect(pauses).toEqual([5_000, 120_000]);
  expect(left).toEqual([2, 1, 0]);
  expect(receiver.received).toHaveLength(3);
});

it('a failed attempt is retried after the time in Retry-After, up to twice the delay', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(429, { 'retry-after': '8' }).end();
  await service.app.fanOut(anEvent(application));
  await eventually('it was tried', async () => (await theDelivery(endpoint.id)).attempts === 1);
  const { next_attempt_at } = await theDelivery(endpoint.id);
  expect(Date.parse(next_attempt_at as string) - harness.clock.now()).toBe(8_000);
});

it('a failed attempt results from a redirect, which is not followed', async () => {
  const target = await harness.startReceiver();
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(307, { location: target.url }).end();
  await service.app.fanOut(anEvent(application));
  await eventually('it was tried', async () => (await theDelivery(endpoint.id)).attempts === 1);
  expect((await theDelivery(endpoint.id)).response_status).toBe(307);
  expect(target.connections()).toBe(0);
  await target.stop();
});

it('a failed attempt keeps at most 16 KiB of an endless response, and a 2xx status succeeds', async () => {
  const endpoint = await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => {
    response.writeHead(200);
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(8_192, 'x')));
    };
    response.on('drain', write);
    write();
  };
  await service.app.fanOut(anEvent(application));
  await eventually('it succeeded', async () => (await status(endpoint.id)) === 'succeeded');
  const { attempt_log: log } = await detailOf((await theDelivery(endpoint.id)).id);
  expect(log[0]?.response).toMatchObject({ status: 200, bytes: 16_384, truncated: true });
});

describe('an endpoint', () => {
  it.each([
    ['410', 410, {}, 'gone', 'failed'],
    ['webhook-delivery: disable on a failure', 500, { 'webhook-delivery': 'disable' }, 'asked', 'skipped'],
    ['webhook-delivery: disable on a success', 200, { 'webhook-delivery': 'disable' }, 'asked', 'succeeded'],
  ] as const)(
    'an endpoint that responds with %s is disabled, and receives nothing more',
    async (_title, code, headers, by, outcome) => {
      const endpoint = await harness.anEndpoint(application, receiver.url);
      receiver.answer = (_request, response) => response.writeHead(code, headers).end();
      await service.app.fanOut(anEvent(application));
      const read = () => harness.call(application.viewer, contract.getEndpoint, { endpoint_id: endpoint.id });
      await eventually('it is disabled', async () => (await read()).status === 'disabled');
      expect((await read()).disabled?.by).toBe(by);
      await eventually('the delivery shows it', async () => (await status(endpoint.id)) === outcome);
      await service.app.fanOut(anEvent(application));
      const statuses = (await deliveriesOf(endpoint.id)).map((delivery) => delivery.status);
      expect(statuses).toEqual(['skipped', outcome]);
      expect(receiver.received).toHaveLength(1);
      const isLogged = () =>
        loggedAbout(endpoint.id).some(
          ({ msg }) => msg === 'an endpoint was disabled because of its responses',
        );
      await eventually('it is logged', isLogged);
    },
  );

  it('an endpoint that is disabled by a 410 keeps the responses to the deliveries in flight at that time', async () => {
    const endpoint = await harness.anEndpoint(application, receiver.url);
    await service.app.fanOut(anEvent(application));
    await received(1);
    await eventually('no attempt is in flight', () => service.app.dispatcher.inFlight(endpoint.id) === 0);
    const waiting: ((code: number) => unknown)[] = [];
    receiver.answer = (_request, response) => waiting.push((code) => response.writeHead(code).end());
    for (let count = 0; count < 4; count += 1) await service.app.fanOut(anEvent(application));
    await received(5);
    waiting[0]?.(410);
    const skipped = async () => (await deliveriesOf(endpoint.id)).filter((one) => one.status === 'skipped');
    await eventually('the others are skipped', async () => (await skipped()).length === 3);
    waiting[1]?.(200);
    waiting[2]?.(410);
    waiting[3]?.(500);
    await eventually('no attempt is in flight', () => service.app.dispatcher.inFlight(endpoint.id) === 0);
    const shown = (await deliveriesOf(endpoint.id)).map(
      (one) => `${one.status} ${one.attempts} ${one.response_status}`,
    );
    expect(shown.sort()).toEqual([
      'failed 1 410',
      'failed 1 410',
      'skipped 0 null',
      'succeeded 1 200',
      'succeeded 1 204',
    ]);
  });

  /** Requests wait from now on. The result responds to one of them, or to all. */
  function holdResponses() {
    const held: (() => void)[] = [];
    receiver.answer = (_request, response) => held.push(() => response.writeHead(204).end());
    return {
      respondToOne: () => held.shift()?.(),
      respondToAll() {
        for (const respond of held.splice(0)) respond();
      },
    };
  }
  const fanOutMany = (count: number) =>
    Promise.all(Array.from({ length: count }, () => service.app.fanOut(anEvent(application))));
  const noneInFlight = (endpointId: string) =>
    eventually('no attempt is in flight', () => service.app.dispatcher.inFlight(endpointId) === 0);
  const countPending = () =>
    service.connection
      .collection('deliveries')
      .countDocuments({ application_id: application.id, status: 'pending' });

  it('an endpoint that fails appears in the log with the delivery, the response, and the delay until the retry', async () => {
    const endpoint = await harness.anEndpoint(application, receiver.url);
    receiver.answer = (_request, response) => response.writeHead(503).end();
    const event = anEvent(application);
    await service.app.fanOut(event);
    await eventually('the attempt is logged', () => loggedAbout(event.id).length > 0);
    expect(loggedAbout(event.id)).toMatchObject([
      {
        level: 'info',
        msg: 'an attempt failed; the delivery is retried',
        delivery_id: (await theDelivery(endpoint.id)).id,
        endpoint_id: endpoint.id,
        application_id: application.id,
        payment_id: event.data.id,
        attempt: 1,
        code: 'status',
        status: 503,
        retry_delay_ms: 5_000,
      },
    ]);
  });

  it('an endpoint receives one delivery until it has responded, then five at once, and never more than 25', async () => {
    await harness.anEndpoint(application, receiver.url);
    const { respondToOne } = holdResponses();
    await fanOutMany(61);
    await received(1);
    expect(receiver.concurrent().now).toBe(1);
    respondToOne();
    await received(6);
    const ending = setInterval(respondToOne, 5);
    await eventually('all are delivered', async () => (await countPending()) === 0);
    clearInterval(ending);
    expect(receiver.concurrent().most).toBeLessThanOrEqual(25);
  });

  it('an endpoint receives one delivery at a time while it fails, and more again when it has recovered', async () => {
    const endpoint = await harness.anEndpoint(application, receiver.url);
    receiver.answer = (_request, response) => response.writeHead(503).end();
    await fanOutMany(15);
    await received(15);
    await noneInFlight(endpoint.id);
    const whileFailing = holdResponses();
    await fanOutMany(5);
    await eventually('one is in flight', () => receiver.concurrent().now === 1);
    expect(service.app.dispatcher.inFlight(endpoint.id)).toBe(1);
    receiver.answer = (_request, response) => response.writeHead(204).end();
    whileFailing.respondToAll();
    await received(20);
    await noneInFlight(endpoint.id);
    const { respondToOne, respondToAll } = holdResponses();
    await fanOutMany(60);
    await eventually('six are in flight', () => {
      const { now } = receiver.concurrent();
      if (now === 6) return true;
      // Once every attempt has arrived, however slowly they are sent.
      if (now === service.app.dispatcher.inFlight(endpoint.id)) respondToOne();
      return false;
    });
    receiver.answer = (_request, response) => response.writeHead(204).end();
    respondToAll();
    await received(80);
  });

  it('an endpoint drains its backlog at 200 ms per response while 59 deliveries per second become due', async () => {
    await harness.anEndpoint(application, receiver.url);
    receiver.answer = (_request, response) => setTimeout(() => response.writeHead(204).end(), 200);
    const fannedOut = [...Array(150)].map(() => service.app.fanOut(anEvent(application)));
    const load = setInterval(() => fannedOut.push(service.app.fanOut(anEvent(application))), 1_000 / 59);
    // At 59 per second, 12 are in flight without a backlog.
    const isDrained = async () => fannedOut.length > 150 && (await countPending()) < 25;
    await eventually('the backlog is drained', isDrained, { timeoutMs: 25_000 }).finally(() =>
      clearInterval(load),
    );
    await Promise.all(fannedOut);
    await received(fannedOut.length);
  });
});

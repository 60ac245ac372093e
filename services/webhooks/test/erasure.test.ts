import { ERASED_FIELDS } from '@tollgate/contracts/payments/erased-payment';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import type { Receiver } from './receiver.ts';

const SECRET = 'Ada Lovelace';

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

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body.toString()));
const fail = () => {
  receiver.answer = (_request, response) => response.writeHead(500).end();
};
const succeed = () => {
  receiver.answer = (_request, response) => response.writeHead(204).end();
};

function anEventWithData(): PaymentEvent {
  const event = anEvent(application, { at: new Date(harness.clock.now()) });
  return { ...event, data: { ...event.data, version: 3, purpose: `Order of ${SECRET}` } };
}

/** What payments sends after it has erased the payment of this event. */
function erasureOf({ data }: PaymentEvent): PaymentEvent {
  const at = new Date(harness.clock.now());
  const event = anEvent(application, { type: 'payment.erased', at });
  return {
    ...event,
    data: { ...data, ...ERASED_FIELDS, version: data.version + 1, erased_at: at.toISOString() },
  };
}

async function storedOf(paymentId: string): Promise<string> {
  const collections = ['events', 'deliveries'].map((name) =>
    service.connection.collection(name).find({ payment_id: paymentId }).toArray(),
  );
  return JSON.stringify(await Promise.all(collections));
}

it('the erasure of a payment erases the bodies of its earlier events and the responses to them, and is sent to the endpoints', async () => {
  await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) =>
    response.writeHead(200, { 'x-payer': SECRET }).end(`Thank you, ${SECRET}`);
  const event = anEventWithData();
  await service.app.fanOut(event);
  await eventually('it is delivered', async () => (await storedOf(event.data.id)).includes('Thank you'));

  const erasure = erasureOf(event);
  succeed();
  await service.app.fanOut(erasure);
  expect(await storedOf(event.data.id)).not.toContain(SECRET);
  await eventually('the erasure is delivered', () => receiver.received.length === 2);
  expect(bodies().at(-1)).toMatchObject({
    type: 'payment.erased',
    data: { payer: null, purpose: null, erased_at: erasure.data.erased_at },
  });
});

it('the erasure of a payment makes a pending delivery send the erased form with a new signature', async () => {
  await harness.anEndpoint(application, receiver.url);
  fail();
  const event = anEventWithData();
  await service.app.fanOut(event);
  await eventually('it has failed', () => receiver.received.length === 1);
  await service.app.fanOut(erasureOf(event));

  succeed();
  harness.clock.advance(7_000);
  await service.app.dispatcher.sweep();
  const retried = () => bodies().filter(({ type }) => type === event.type);
  await eventually('it is sent again', () => retried().length === 2);
  expect(retried()[1]).toMatchObject({ data: { version: 3, purpose: null, payer: null } });
});

it('the erasure of a payment applies to an earlier event that arrives late, before the event is sent', async () => {
  await harness.anEndpoint(application, receiver.url);
  const event = anEventWithData();
  await service.app.fanOut(erasureOf(event));
  await service.app.fanOut(event);
  expect(await storedOf(event.data.id)).not.toContain(SECRET);
  await eventually('both are delivered', () => receiver.received.length === 2);
  expect(JSON.stringify(bodies())).not.toContain(SECRET);
});

it('the erasure of a payment is repeated a minute later for what an attempt in flight has recorded', async () => {
  const event = anEventWithData();
  await harness.anEndpoint(application, receiver.url);
  await service.app.fanOut(event);
  await eventually('it is delivered', async () => (await storedOf(event.data.id)).includes('"succeeded"'));
  await service.app.fanOut(erasureOf(event));
  await service.connection
    .collection('deliveries')
    .updateOne({ event_id: event.id }, { $set: { 'attempts.0.response.body': SECRET } });
  await service.app.repeatErasures();
  expect(await storedOf(event.data.id)).toContain(SECRET);
  harness.clock.advance(60_000);
  await service.app.repeatErasures();
  expect(await storedOf(event.data.id)).not.toContain(SECRET);
});

it('the erasure of a payment erases a response whose place changed because an attempt was recorded meanwhile', async () => {
  await harness.anEndpoint(application, receiver.url);
  receiver.answer = (_request, response) => response.writeHead(200).end(`Thank you, ${SECRET}`);
  const event = anEventWithData();
  await service.app.fanOut(event);
  await eventually('it is delivered', async () => (await storedOf(event.data.id)).includes('Thank you'));
  const deliveries = service.connection.collection('deliveries');
  const delivery = { event_id: event.id };
  const [answered] = (await deliveries.findOne(delivery))?.['attempts'] ?? [];
  const unanswered = { ...answered, response: null };
  const earlier = Array<object>(WEBHOOK_LIMITS.storedAttempts - 1).fill(unanswered);
  await deliveries.updateOne(delivery, {
    $set: { attempts: [...earlier, answered], attempt_count: WEBHOOK_LIMITS.storedAttempts },
  });
  const updateOne = deliveries.updateOne.bind(deliveries);
  vi.spyOn(deliveries, 'updateOne').mockImplementationOnce(async (...erasure) => {
    const attempts = { $each: [unanswered], $slice: -WEBHOOK_LIMITS.storedAttempts };
    await updateOne(delivery, { $push: { attempts }, $inc: { attempt_count: 1 } } as never);
    return updateOne(...erasure);
  });

  await service.app.fanOut(erasureOf(event));

  const [last, ...others] = (await deliveries.findOne(delivery))?.['attempts'].toReversed() ?? [];
  expect(last.response).toBeNull();
  expect(others[0].response).toMatchObject({ status: 200, body: '' });
});

it('the erasure of a payment applies to a body in the cache of another instance', async () => {
  const other = await harness.startService({ isStarted: false });
  const { id: endpoint_id } = await harness.anEndpoint(application, receiver.url);
  fail();
  const event = anEventWithData();
  await service.app.fanOut(event);
  await eventually('it has failed', () => receiver.received.length === 1);
  await other.app.fanOut(erasureOf(event));
  harness.clock.advance(7_000);
  succeed();
  const { teamId: team_id, id: application_id } = application;
  service.app.dispatcher.wake({ team_id, application_id, environment: 'sandbox', endpoint_id });
  await service.app.dispatcher.sweep();
  const retried = () => bodies().filter(({ type }) => type === event.type);
  await eventually('it is sent again', () => retried().length === 2);
  expect(JSON.stringify(retried()[1])).not.toContain(SECRET);
});

it('the erasure of a payment of another payment changes nothing', async () => {
  const event = anEventWithData();
  await service.app.fanOut(event);
  const other = anEventWithData();
  await service.app.fanOut(erasureOf({ ...other, data: { ...other.data, id: newId('payment') } }));
  expect(await storedOf(event.data.id)).toContain(SECRET);
});

it('the list of events shows the erased form', async () => {
  const event = anEventWithData();
  await service.app.fanOut(event);
  await service.app.fanOut(erasureOf(event));
  const shown = await harness.call(application.viewer, contract.getEvent, { event_id: event.id });
  expect(JSON.stringify(shown)).not.toContain(SECRET);
});

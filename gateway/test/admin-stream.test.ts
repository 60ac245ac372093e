import { createPublisher } from '@tollgate/bus/publisher';
import { ensureStreams } from '@tollgate/bus/streams';
import { issueActorToken } from '@tollgate/contracts/accounts/rpc';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventSubject } from '@tollgate/contracts/platform/streams';
import { LIVE_SUBJECTS } from '@tollgate/contracts/webhooks/live-changes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MAX_UNCONFIRMED_MS } from '../src/admin-api/stream.ts';
import { MAX_STREAMS_PER_ACTOR, MAX_STREAMS_PER_SESSION } from '../src/admin-api/team-streams.ts';
import { adminClient } from './support/admin-client.ts';
import { type EventStream, openEventStream } from './support/event-stream.ts';
import { exampleDeliveryChange, exampleEndpointChange, examplePaymentEvent } from './support/examples.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

let gateway: GatewayUnderTest;
let services: Services;
let publish: (event: PaymentEvent) => Promise<void>;
const opened: EventStream[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest({
    adminTimings: { sessionCheckIntervalMs: 20, heartbeatIntervalMs: 20 },
  });
  services = await startServices(gateway.bus);
  await ensureStreams(gateway.bus);
  const publisher = createPublisher(gateway.bus);
  publish = (event) => publisher.publish(eventSubject(event.type), signed(event), { messageId: event.id });
});
afterEach(async () => {
  await services.serveSessions();
  for (const stream of opened.splice(0)) stream.close();
});
afterAll(async () => {
  await services.stop();
  await gateway.stop();
});

/** Opens a stream and waits for its greeting. */
async function open(token: string, query = ''): Promise<EventStream> {
  const stream = await openEventStream(gateway.adminUrl, token, query);
  opened.push(stream);
  await eventually('the stream says hello', () => stream.events().length > 0);
  return stream;
}

/** Signs like payments. */
const signed = (event: PaymentEvent) => gateway.issuerKeys.signers.payments.sign('payment_event', event);

/** Publishes like webhooks. */
const say = (subject: string, change: object) => gateway.bus.nats.publish(subject, JSON.stringify(change));
const { delivery: DELIVERY, webhookEndpoint: ENDPOINT } = LIVE_SUBJECTS;

const changesOf = (stream: EventStream) => stream.events().filter(({ event }) => event !== 'hello');
/** Grows with each check of a session that fails. */
const failures = () => gateway.logged().split('rpc.accounts.actor_token').length;
const idsOf = (stream: EventStream) => stream.events().flatMap(({ id }) => id ?? []);

test('the stream sends a greeting, then each payment event of the team in order, without metadata', async () => {
  const teamId = newId('team');
  const stream = await open(services.signIn({ team_id: teamId, role: 'viewer' }));
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  expect(stream.text()).toMatch(/^retry: \d+\n/);
  expect(stream.events()).toEqual([{ event: 'hello', id: undefined, data: { environment: null } }]);

  const event = examplePaymentEvent({ team_id: teamId });
  await publish(event);
  await eventually('the event arrives', () => idsOf(stream).includes(event.id));
  const { metadata, ...payment } = event.data;
  expect(metadata).not.toBeNull();
  expect(stream.events().at(-1)).toEqual({
    event: 'payment.succeeded',
    id: event.id,
    data: {
      id: event.id,
      type: 'payment.succeeded',
      occurred_at: event.occurred_at,
      environment: event.environment,
      application_id: event.application_id,
      payment,
    },
  });
});

test('the stream contains nothing of another team or of an environment that was not requested', async () => {
  const teamId = newId('team');
  const token = services.signIn({ team_id: teamId });
  const streams = {
    both: await open(token),
    live: await open(token, '?environment=live'),
    sandbox: await open(token, '?environment=sandbox'),
    stranger: await open(services.signIn()),
  };
  const made = (environment: Environment) => examplePaymentEvent({ team_id: teamId, environment });
  const [live, sandbox] = [made('live'), made('sandbox')];
  const foreign = examplePaymentEvent();
  for (const event of [foreign, live, sandbox]) await publish(event);
  await eventually(
    'both have arrived',
    () => idsOf(streams.both).length === 2 && idsOf(streams.sandbox).length === 1,
  );
  expect(idsOf(streams.both)).toEqual([live.id, sandbox.id]);
  expect(idsOf(streams.live)).toEqual([live.id]);
  expect(idsOf(streams.sandbox)).toEqual([sandbox.id]);
  expect(idsOf(streams.stranger)).toEqual([]);
});

test('the stream sends each change of a delivery and of an endpoint, without its owner', async () => {
  const teamId = newId('team');
  const stream = await open(services.signIn({ team_id: teamId, role: 'viewer' }));
  const { team_id: _, ...delivery } = exampleDeliveryChange();
  const { team_id: __, ...endpoint } = exampleEndpointChange();
  say(DELIVERY, { team_id: teamId, ...delivery });
  say(ENDPOINT, { team_id: teamId, ...endpoint });
  await eventually('both have arrived', () => changesOf(stream).length === 2);
  expect(changesOf(stream)).toEqual([
    { event: 'delivery', id: undefined, data: delivery },
    { event: 'webhook_endpoint', id: undefined, data: endpoint },
  ]);
});

test.each([
  { of: 'a delivery', subject: DELIVERY, example: exampleDeliveryChange },
  { of: 'an endpoint', subject: ENDPOINT, example: exampleEndpointChange },
])('the stream contains no change of $of of another team or environment', async ({ subject, example }) => {
  const teamId = newId('team');
  const token = services.signIn({ team_id: teamId });
  const both = await open(token);
  const live = await open(token, '?environment=live');
  const foreignTeamId = newId('team');
  const stranger = await open(services.signIn({ team_id: foreignTeamId }));
  say(subject, example({ team_id: teamId, environment: 'sandbox' }));
  say(subject, example({ team_id: teamId, environment: 'live' }));
  const foreign = example({ team_id: foreignTeamId });
  say(subject, foreign);
  for (const [stream, count] of [
    [both, 2],
    [live, 1],
    [stranger, 1],
  ] as const)
    await eventually('all have arrived', () => changesOf(stream).length >= count);
  expect(changesOf(both)).toMatchObject([
    { data: { environment: 'sandbox' } },
    { data: { environment: 'live' } },
  ]);
  expect(changesOf(live)).toEqual(changesOf(both).slice(1));
  expect(changesOf(stranger)).toMatchObject([{ data: { endpoint_id: foreign.endpoint_id } }]);
});

test.each([DELIVERY, ENDPOINT])('the stream ignores and logs an invalid message on %s', async (subject) => {
  const teamId = newId('team');
  const stream = await open(services.signIn({ team_id: teamId }));
  const valid = exampleDeliveryChange({ team_id: teamId });
  const logged = () => gateway.logged().split(`"subject":"${subject}"`).length - 1;
  const before = logged();
  gateway.bus.nats.publish(subject, '{');
  for (const change of [
    [],
    { team_id: teamId },
    { ...valid, endpoint_id: '1' },
    { ...valid, environment: 7 },
  ])
    say(subject, change);
  say(DELIVERY, valid);
  await eventually('the valid one has arrived', () => changesOf(stream).length > 0);
  expect(changesOf(stream)).toMatchObject([{ data: { delivery_id: valid.delivery_id } }]);
  await eventually('each is logged', () => logged() - before === 5);
});

test('the stream continues after an invalid event was published', async () => {
  const teamId = newId('team');
  const stream = await open(services.signIn({ team_id: teamId }));
  for (const text of ['{', '[]', JSON.stringify({ team_id: teamId })]) {
    gateway.bus.nats.publish('events.payment.succeeded', text);
  }
  const event = examplePaymentEvent({ team_id: teamId });
  await publish(event);
  await eventually('the event arrives', () => idsOf(stream).length > 0);
  expect(idsOf(stream)).toEqual([event.id]);
});

test('the stream shows no event that payments did not sign, and counts it', async () => {
  const teamId = newId('team');
  const stream = await open(services.signIn({ team_id: teamId }));
  const event = examplePaymentEvent({ team_id: teamId });
  const { signers } = gateway.issuerKeys;
  const forged = [
    event,
    { ...signed(event), data: { ...event.data, amount: 1 } },
    signers.applications.sign('payment_event', event),
    signers.payments.sign('usage_window', event),
  ];
  for (const each of forged) gateway.bus.nats.publish('events.payment.succeeded', JSON.stringify(each));
  const trueEvent = examplePaymentEvent({ team_id: teamId });
  await publish(trueEvent);
  await eventually('the true event arrives', () => idsOf(stream).length > 0);
  expect(idsOf(stream)).toEqual([trueEvent.id]);
  const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
  expect(metrics).toMatch(/unverified_messages_total\{kind="payment_event",reason="unsigned"/);
});

test('the stream is counted and logged as aborted when its client disconnects', async () => {
  const stream = await open(services.signIn());
  stream.close();
  await eventually('it is counted', async () =>
    /requests_total\{[^}]*listener="admin",operation="stream",status_class="aborted"[^}]*\} [1-9]/.test(
      await (await fetch(`${gateway.opsUrl}/metrics`)).text(),
    ),
  );
  expect(gateway.logged()).toContain('the connection closed before the end of the response');
});

test('the stream sends heartbeats', async () => {
  const stream = await open(services.signIn());
  await eventually('a heartbeat', () => stream.text().includes('event: heartbeat\n'));
});

test('the stream ends soon after its session', async () => {
  const token = services.signIn();
  const stream = await open(token);
  services.end(token);
  await eventually('the stream ends', stream.isOver);
  expect(stream.response.complete).toBe(true);
  expect((await openEventStream(gateway.adminUrl, token)).status).toBe(401);
});

test('the stream ends soon after the API token that opened it is revoked', async () => {
  const token = services.issueToken();
  const stream = await open(token);
  services.end(token);
  await eventually('the stream ends', stream.isOver);
  expect((await openEventStream(gateway.adminUrl, token)).status).toBe(401);
});

test('the stream shows an API token the changes of its team, and only in its environments', async () => {
  const teamId = newId('team');
  const token = services.issueToken({ team_id: teamId, environments: ['sandbox'] });
  const stream = await open(token);
  expect(stream.events()).toEqual([{ event: 'hello', id: undefined, data: { environment: 'sandbox' } }]);
  const [hidden, shown] = (['live', 'sandbox'] as const).map((environment) =>
    examplePaymentEvent({ team_id: teamId, environment }),
  );
  for (const event of [hidden, shown]) await publish(event as PaymentEvent);
  await eventually('the event arrives', () => idsOf(stream).length > 0);
  expect(idsOf(stream)).toEqual([shown?.id]);
  expect((await openEventStream(gateway.adminUrl, token, '?environment=live')).status).toBe(403);
});

test('the stream outlives a short outage of accounts, but not a long one', async () => {
  const stream = await open(services.signIn());
  await services.silence(issueActorToken);
  const before = failures();
  gateway.clock.advance(MAX_UNCONFIRMED_MS / 2);
  await eventually('the session could not be checked', () => failures() > before + 2);
  expect(stream.isOver()).toBe(false);
  gateway.clock.advance(MAX_UNCONFIRMED_MS + 1);
  await eventually('the stream ends', stream.isOver);
});

test('the stream does not outlive an outage of accounts after the clock was set back', async () => {
  const stream = await open(services.signIn());
  await services.silence(issueActorToken);
  const before = failures();
  await eventually('the session could not be checked', () => failures() > before);
  expect(stream.isOver()).toBe(false);
  gateway.clock.set(gateway.clock.now() - HOUR_MS);
  await eventually('the stream ends', stream.isOver);
  gateway.clock.advance(HOUR_MS);
});

test.each(['?colour=red', '?environment=production', '?environment=live&environment=sandbox'])(
  'the stream rejects %s',
  async (query) => {
    const stream = await openEventStream(gateway.adminUrl, services.signIn(), query);
    expect(stream.status).toBe(400);
  },
);

test('the stream is limited to a few at a time per session', async () => {
  const token = services.signIn();
  const streams = await Promise.all(Array.from({ length: MAX_STREAMS_PER_SESSION }, () => open(token)));
  expect((await openEventStream(gateway.adminUrl, token)).status).toBe(429);
  streams[0]?.close();
  await eventually('there is room again', async () => {
    const stream = await openEventStream(gateway.adminUrl, token);
    opened.push(stream);
    return stream.status === 200;
  });
});

test('the stream is limited per member in all sessions and logins together, so that one member cannot take the share of the team', async () => {
  const teamId = newId('team');
  const memberId = newId('member');
  const newSession = () => services.signIn({ team_id: teamId, member_id: memberId });
  for (let left = MAX_STREAMS_PER_ACTOR; left > 0; left -= MAX_STREAMS_PER_SESSION) {
    const token = newSession();
    await Promise.all(Array.from({ length: MAX_STREAMS_PER_SESSION }, () => open(token)));
  }
  const login = services.issueToken({ team_id: teamId }, memberId);
  for (const token of [newSession(), login])
    expect((await openEventStream(gateway.adminUrl, token)).status).toBe(429);
  expect((await open(services.signIn({ team_id: teamId }))).status).toBe(200);
});

test('the stream is cut off when its client leaves too much unread, without delaying others', async () => {
  const teamId = newId('team');
  const slow = await open(services.signIn({ team_id: teamId }));
  const quick = await open(services.signIn({ team_id: teamId }));
  slow.response.pause();
  const padded = {
    ...examplePaymentEvent({ team_id: teamId }),
    data: { ...examplePaymentEvent().data, purpose: 'x'.repeat(250_000) },
  };
  let published = 0;
  await eventually('the slow reader is cut off', async () => {
    gateway.bus.nats.publish(
      'events.payment.succeeded',
      JSON.stringify(signed({ ...padded, id: newId('event') })),
    );
    published += 1;
    return gateway.logged().includes('The client reads too slowly.');
  });
  await eventually('the quick one has all', () => idsOf(quick).length === published);
  expect(quick.isOver()).toBe(false);
});

test('the stream is not opened by HEAD, which gets a response', async () => {
  const response = await adminClient(gateway.adminUrl, services.signIn())('HEAD /stream');
  expect(response).toMatchObject({ status: 200, text: '' });
});

describe('after an outage of NATS', () => {
  test('the stream sends its greeting again, since events may have been missed', async () => {
    const stream = await open(services.signIn());
    await gateway.infra.nats.kill();
    await gateway.infra.nats.start();
    await eventually('the test is connected again', () =>
      gateway.bus.nats.flush().then(
        () => true,
        () => false,
      ),
    );
    await eventually(
      'it says hello again',
      () => stream.events().filter(({ event }) => event === 'hello').length === 2,
    );
    expect(stream.isOver()).toBe(false);
  });
});

test('shutting down the gateway ends streams and exports without waiting for them', async () => {
  const own = await startGatewayUnderTest();
  const ownServices = await startServices(own.bus);
  const stream = await openEventStream(own.adminUrl, ownServices.signIn());
  await eventually('it says hello', () => stream.events().length > 0);
  const startedAt = performance.now();
  await ownServices.stop();
  await own.stop();
  expect(stream.response.complete).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

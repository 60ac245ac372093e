import type { Actor } from '@tollgate/contracts/accounts/actor';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import type { WebhookEndpointWithSecret } from '@tollgate/contracts/webhooks/webhook';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from './harness.ts';
import { agentsToThisMachine, aLiveEndpoint } from './live-endpoint.ts';
import type { Receiver } from './receiver.ts';

const EVENTS = 8;

let harness: Harness;
let service: Service;
let receiver: Receiver;
let application: TestApplication;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({
    agents: agentsToThisMachine(),
  });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  application = await harness.anApplication();
});
afterEach(() => receiver.stop());

const read = (endpointId: string) =>
  harness.call(application.viewer, contract.getEndpoint, { endpoint_id: endpointId });
const deliveriesOf = async (endpointId: string) =>
  (await harness.call(application.viewer, contract.listDeliveries, { endpoint_id: endpointId })).data;
const attemptsTo = async (endpointId: string) =>
  (await deliveriesOf(endpointId)).reduce((sum, { attempts }) => sum + attempts, 0);
const noneInFlight = (endpointId: string) =>
  eventually('no attempt is in flight', () => service.app.dispatcher.inFlight(endpointId) === 0);

/** An endpoint whose receiver is stopped, with some events for it. */
async function unreachable(environment: 'live' | 'sandbox') {
  receiver = await harness.startReceiver();
  const endpoint =
    environment === 'live'
      ? await aLiveEndpoint(harness, service, { application, url: receiver.url })
      : await harness.anEndpoint(application, receiver.url);
  await receiver.stop();
  const events = Array.from({ length: EVENTS }, () => anEvent(application, { environment }));
  for (const event of events) await service.app.fanOut(event);
  return { endpoint, events };
}

async function paused() {
  const { endpoint, events } = await unreachable('live');
  await eventually('the endpoint is paused', async () => {
    harness.clock.advance(1_000);
    await service.app.dispatcher.sweep();
    return (await read(endpoint.id)).paused_until !== null;
  });
  await noneInFlight(endpoint.id);
  return { endpoint, events };
}

async function restartReceiver(): Promise<void> {
  receiver = await harness.startReceiver({ port: Number(new URL(receiver.url).port) });
}

describe('an unreachable live endpoint', () => {
  it('an unreachable live endpoint is paused, uses up no attempt meanwhile, and receives everything when it is back', async () => {
    const { endpoint, events } = await paused();
    const pause = { level: 'info', msg: 'connections to the endpoint fail; its deliveries wait' };
    const logged = harness.logLines
      .filter((line) => line.includes(endpoint.id))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toContainEqual(expect.objectContaining({ ...pause, retry_delay_ms: 30_000 }));
    const before = await attemptsTo(endpoint.id);
    await service.app.dispatcher.sweep();
    await service.app.dispatcher.sweep();
    expect(await attemptsTo(endpoint.id)).toBe(before);

    await restartReceiver();
    await eventually('all are delivered', async () => {
      harness.clock.advance(5_000);
      await service.app.dispatcher.sweep();
      return (await deliveriesOf(endpoint.id)).every(({ status }) => status === 'succeeded');
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(events.map(({ id }) => id)),
    );
    expect((await read(endpoint.id)).failing_since).toBeNull();
  });

  it('an unreachable live endpoint shows that its deliveries wait until the pause ends', async () => {
    const { endpoint } = await paused();
    const { paused_until: pausedUntil } = await read(endpoint.id);
    const pending = (await deliveriesOf(endpoint.id)).filter(({ status }) => status === 'pending');
    expect(pending).toHaveLength(EVENTS);
    for (const { next_attempt_at: nextAttemptAt } of pending)
      expect((nextAttemptAt as string) >= (pausedUntil as string)).toBe(true);
  });

  type Act = (endpoint: WebhookEndpointWithSecret, actor: Actor) => Promise<unknown>;
  it.each<[string, Act]>([
    [
      'a test event',
      ({ id }, actor) =>
        harness.call(actor, contract.sendTestEvent, { endpoint_id: id, event_type: 'payment.succeeded' }),
    ],
    [
      'a resend of a delivery',
      async ({ id }, actor) => {
        const [delivery] = await deliveriesOf(id);
        return harness.call(actor, contract.resendDelivery, { delivery_id: delivery?.id ?? '' });
      },
    ],
    [
      'a recovery of failed deliveries',
      ({ id }, actor) =>
        harness.call(actor, contract.recoverEndpoint, {
          endpoint_id: id,
          since: new Date(harness.clock.now()).toISOString(),
        }),
    ],
    ['being enabled', ({ id }, actor) => harness.call(actor, contract.enableEndpoint, { endpoint_id: id })],
  ])(
    'an unreachable live endpoint is tried at once by %s, and then receives what waited',
    async (_action, act) => {
      const { endpoint } = await paused();
      await restartReceiver();
      await act(endpoint, application.admin);
      // The clock stands still: nothing else ends the pause.
      await eventually('a delivery succeeded', () => receiver.received.length > 0);
      await eventually('the pause is over', async () => (await read(endpoint.id)).failing_since === null);
      expect((await read(endpoint.id)).paused_until).toBeNull();
    },
  );
});

it('an unreachable sandbox endpoint is never paused, so that its deliveries fail while the developer watches, and are not sent later', async () => {
  const { endpoint } = await unreachable('sandbox');
  await eventually('every delivery has failed', async () => {
    harness.clock.advance(10_000);
    await service.app.dispatcher.sweep();
    expect((await read(endpoint.id)).paused_until).toBeNull();
    return (await deliveriesOf(endpoint.id)).every(({ status }) => status === 'failed');
  });
  expect(await attemptsTo(endpoint.id)).toBe(3 * EVENTS);
});

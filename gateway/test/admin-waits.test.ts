import { listEvents } from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_WAITS_PER_ACTOR } from '../src/admin-api/waits.ts';
import { adminClient } from './support/admin-client.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

const PAGE = { data: [], next_cursor: 'x', previous_cursor: null };

let gateway: GatewayUnderTest;
let services: Services;
let arrive: (page: typeof PAGE) => void;
let stopping: Promise<void> | undefined;
const stopGateway = () => (stopping ??= gateway.stop());

beforeEach(async () => {
  stopping = undefined;
  gateway = await startGatewayUnderTest();
  services = await startServices(gateway.bus);
  const arrived = new Promise<typeof PAGE>((resolve) => {
    arrive = resolve;
  });
  await services.serve(listEvents, ({ wait = 0 }) => (wait === 0 ? PAGE : arrived));
});
afterEach(async () => {
  arrive(PAGE);
  await services.stop();
  await stopGateway();
});

const waiting = (token: string) => adminClient(gateway.adminUrl, token)('GET /events?order=asc&wait=25');
const waitingCount = () => services.received(listEvents).length;

test('a request that waits gets the response when there is one', async () => {
  const response = waiting(services.signIn());
  await eventually('the service has the request', () => waitingCount() === 1);
  arrive(PAGE);
  expect(await response).toMatchObject({ status: 200, body: { next_cursor: 'x' } });
});

test('a request that waits is one of a limited number of the same member, and others are not affected', async () => {
  const token = services.signIn();
  const waits = Array.from({ length: MAX_WAITS_PER_ACTOR }, () => waiting(token));
  await eventually('all wait', () => waitingCount() === MAX_WAITS_PER_ACTOR);
  expect(await waiting(token)).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
  expect((await adminClient(gateway.adminUrl, token)('GET /events')).status).toBe(200);
  const other = waiting(services.signIn());
  await eventually('another member waits', () => waitingCount() === MAX_WAITS_PER_ACTOR + 2);
  arrive(PAGE);
  for (const { status } of await Promise.all([...waits, other])) expect(status).toBe(200);
  expect((await waiting(token)).status).toBe(200);
});

test('a request that waits ends when the gateway stops, and says that it can be repeated', async () => {
  const response = waiting(services.signIn());
  await eventually('the service has the request', () => waitingCount() === 1);
  void stopGateway();
  expect(await response).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1', 'x-should-retry': 'true' },
  });
});

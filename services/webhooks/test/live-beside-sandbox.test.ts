import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness } from './harness.ts';
import { agentsToThisMachine, aLiveEndpoint } from './live-endpoint.ts';

/** With the live ones, the limit of an application. */
const SLOW_ENDPOINTS = 35;
const EVENTS = 6;
const LIVE_ENDPOINTS = 15;
const LATEST_MS = 2_000;

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({ agents: agentsToThisMachine() });
});
afterAll(() => harness.stop());

it(`the first live deliveries of an application arrive within 2 s while its ${SLOW_ENDPOINTS} sandbox endpoints do not respond`, async () => {
  const application = await harness.anApplication();
  const [slow, live] = [await harness.startReceiver(), await harness.startReceiver()];
  const respond: (() => void)[] = [];
  slow.answer = (_request, response) => respond.push(() => response.writeHead(204).end());
  for (let index = 0; index < SLOW_ENDPOINTS; index += 1)
    await harness.anEndpoint(application, `${slow.url}/${index}`);
  for (let event = 0; event < EVENTS; event += 1) await harness.publish(anEvent(application));
  await eventually('slow requests are in flight', () => slow.concurrent().now > 0);

  const waitsMs: number[] = [];
  for (let index = 0; index < LIVE_ENDPOINTS; index += 1) {
    await aLiveEndpoint(harness, service, { application, url: `${live.url}/${index}` });
    const publishedAt = performance.now();
    await harness.publish(anEvent(application, { environment: 'live' }));
    const isThis = ({ path }: { path: string }) => path.endsWith(`/${index}`);
    await eventually('the live delivery has arrived', () => live.received.some(isThis));
    waitsMs.push((live.received.find(isThis)?.at ?? Number.NaN) - publishedAt);
  }
  expect(Math.max(...waitsMs)).toBeLessThanOrEqual(LATEST_MS);
  expect(slow.concurrent().now).toBeGreaterThan(0);

  slow.answer = (_request, response) => response.writeHead(204).end();
  for (const one of respond) one();
  await slow.stop();
  await live.stop();
});

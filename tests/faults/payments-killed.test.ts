import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../platform/platform.ts';
import { storedEvents } from '../platform/stored-events.ts';
import { report } from '../report.ts';

/** The long form, `npm run test:long`, has 30. */
const KILLS = Number(process.env['KILLS'] ?? 6);
const CREATES_PER_SECOND = 50;
/**
 * How many more payments are acknowledged before each kill: the first kill comes right after the start, the last one
 * while earlier payments settle.
 */
const MORE_PER_KILL = 2;
/** Enough that some payments are acknowledged just before each kill. */
const MIN_ACKNOWLEDGED = 20 * KILLS;

let platform: Platform;
let application: TestApplication;

beforeAll(async () => {
  platform = await startPlatform();
  application = await platform.createApplication();
});
afterAll(() => platform.stop());

/** Creates payments at a steady rate until stopped, each with its own idempotency key and without retries. */
function startLoad() {
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  const acknowledged: string[] = [];
  const statuses = new Map<number, number>();
  const inFlight = new Set<Promise<void>>();
  let sent = 0;

  async function createOne(index: number) {
    const { status, body } = await api.create({ amount: index + 1, currency: 'EUR' }, `load-${index}`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 201) acknowledged.push(body.id);
  }
  const timer = setInterval(() => {
    const done: Promise<void> = createOne(sent++).finally(() => inFlight.delete(done));
    inFlight.add(done);
  }, 1000 / CREATES_PER_SECOND);

  return {
    acknowledged,
    statuses,
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
      return sent;
    },
  };
}

describe('payments killed with SIGKILL while payments are created', () => {
  it(`${KILLS} times: no acknowledged payment is lost and every event is published`, async () => {
    const since = new Date().toISOString();
    const published = platform.collectEvents();
    const load = startLoad();
    for (let kill = 0; kill < KILLS; kill++) {
      const wanted = load.acknowledged.length + kill * MORE_PER_KILL;
      await eventually(`${wanted} payments are acknowledged`, () => load.acknowledged.length >= wanted, {
        timeoutMs: 60_000,
      });
      await platform.processes.payments.kill();
      await platform.processes.payments.start();
    }
    await eventually(
      'payments are acknowledged between the kills and after them',
      () => load.acknowledged.length > MIN_ACKNOWLEDGED,
      { timeoutMs: 60_000 },
    );
    const sent = await load.stop();
    report(
      `${sent} sent, ${load.acknowledged.length} acknowledged, by status ${JSON.stringify(Object.fromEntries(load.statuses))}`,
    );

    const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    const lost: string[] = [];
    for (const id of load.acknowledged) if ((await api.read(id)).status !== 200) lost.push(id);
    expect(lost).toEqual([]);

    let unsettled: string[] = [];
    let unpublished: string[] = [];
    await eventually(
      'every payment has settled and every event of it is published',
      async () => {
        const events = await storedEvents(platform.call, since);
        const succeeded = new Set(
          events.filter(({ type }) => type === 'payment.succeeded').map(({ data }) => data.id),
        );
        unsettled = load.acknowledged.filter((id) => !succeeded.has(id));
        unpublished = events.map(({ id }) => id).filter((id) => !published.ids().has(id));
        return unsettled.length + unpublished.length === 0;
      },
      { timeoutMs: 60_000, intervalMs: 500 },
    ).finally(() => report(`${unsettled.length} not settled, ${unpublished.length} events not published`));
    await published.stop();
  }, 240_000);
});

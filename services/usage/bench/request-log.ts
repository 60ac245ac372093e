/**
 * `TEST_INFRA=embedded node bench/request-log.ts [requests]`: stores a month of requests of one team, and prints how long a page
 * of each search takes. The time must not depend on the number of requests: run it with 100000 and with 1000000.
 */
import { randomInt } from 'node:crypto';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { firstIdAt, siblingId } from '@tollgate/contracts/platform/id-time';
import { newId } from '@tollgate/contracts/platform/ids';
import { formatRequestLine } from '@tollgate/contracts/usage/request-line';
import { listRequests } from '@tollgate/contracts/usage/rpc';
import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import { NOW, startHarness } from '../test/harness.ts';

const REQUESTS = Number(process.argv[2] ?? 100_000);
const DAYS = 30;
const PER_WINDOW = 1_000;
const KEYS = 20;
const ADDRESSES = 1_000;
const REPEATS = 20;
/** A status for each percent, so that some searches match much and some little. */
const STATUSES = Array.from({ length: 100 }, (_, percent) =>
  percent < 96 ? { status: 200, code: null } : { status: 404, code: 'payment-not-found' },
);
const RARE = { status: 500, code: 'internal' };

const harness = await startHarness();
const { app } = await harness.startService({ isStarted: false });
await harness.startService();
const team_id = newId('team');
const environment = 'live' as const;
const applications = [newId('application'), newId('application')] as const;
const callers = Array.from({ length: KEYS }, (_, index) => ({
  team_id,
  application_id: applications[index % 2] as string,
  key_id: newId('apiKey'),
  environment,
}));
const addressOf = (index: number) => `10.0.${index >> 8}.${index & 255}`;
let payment = newId('payment');

function windowAt(number: number): UsageWindow {
  const lines = Array.from({ length: PER_WINDOW }, (_, index) => {
    const position = number * PER_WINDOW + index;
    if (position % 3 === 0) payment = newId('payment');
    const atMs = NOW - DAYS * DAY_MS + (position / REQUESTS) * DAYS * DAY_MS;
    const entropy = position.toString(16).padStart(24, '0');
    return formatRequestLine({
      caller: position % KEYS,
      operation: position % 3 === 0 ? 'create_payment' : 'read_payment',
      outcome: 'succeeded',
      durationUs: 5_000,
      id: siblingId('request', firstIdAt('request', Math.floor(atMs)), entropy),
      ...(position % 50_000 === 0 ? RARE : (STATUSES[position % 100] as (typeof STATUSES)[number])),
      address: addressOf(randomInt(ADDRESSES)),
      paymentId: payment,
      idempotencyKey: null,
    });
  });
  return {
    gateway_id: 'gwi',
    number,
    at: new Date(NOW).toISOString(),
    rows: [],
    open_questions: [],
    log: { callers, lines },
  } as UsageWindow;
}

const startedMs = performance.now();
for (let number = 0; number * PER_WINDOW < REQUESTS; number += 1)
  await app.context.requests.insertMissing([windowAt(number)]);
const perSecond = Math.round(REQUESTS / ((performance.now() - startedMs) / 1_000));
process.stdout.write(`${REQUESTS} requests stored, ${perSecond} per second\n`);

const searches: Record<string, object> = {
  'no filter': {},
  'status 404': { status: '404' },
  'status 5xx, 1 of 50,000': { status: '5xx' },
  'code payment-not-found': { code: 'payment-not-found' },
  key: { key_id: callers[3]?.key_id },
  application: { application_id: applications[0] },
  operation: { operation: 'create_payment' },
  payment: { payment_id: payment },
  address: { client_address: addressOf(7) },
  'address of nobody': { client_address: '192.0.2.1' },
  'one day': {
    created_from: new Date(NOW - 10 * DAY_MS).toISOString(),
    created_to: new Date(NOW - 9 * DAY_MS).toISOString(),
  },
  'key, status 404': { key_id: callers[3]?.key_id, status: '404' },
};
const table = [];
for (const [name, filters] of Object.entries(searches)) {
  const times: number[] = [];
  let found = 0;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const beforeMs = performance.now();
    const { data } = await harness.call(team_id, listRequests, { environment, ...filters });
    times.push(performance.now() - beforeMs);
    found = data.length;
  }
  times.sort((a, b) => a - b);
  const ms = (part: number) => Math.round((times[Math.floor(part * (REPEATS - 1))] as number) * 10) / 10;
  table.push({ search: name, found, 'p50 ms': ms(0.5), 'max ms': ms(1) });
}
console.table(table);
await harness.stop();

import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { countPayments } from '../src/totals/count-payments.ts';
import type { CountedPeriod } from '../src/totals/counted-payments.ts';
import { rollUpPayments } from '../src/totals/follow-changes.ts';
import type { Basis } from '../src/totals/roll-up.ts';
import { aNewPayment } from './a-new-payment.ts';
import { type PaymentsUnderTest, START_TIMEOUT_MS, startPaymentsUnderTest } from './payments-under-test.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A worker that was killed keeps its lease for as long. */
const LEASE_MS = MINUTE_MS;
const APPLICATIONS = [newId('application'), newId('application')];
const CAUSE = { type: 'processor', id: 'sandbox' } as const;

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

/** What may happen to the payments of a team, and to the worker. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('create' as const),
        fields: someFields(),
        lateMs: lateness(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('end' as const),
        which: fc.nat(),
        as: fc.constantFrom(
          'payment.succeeded' as const,
          'payment.failed' as const,
          'payment.canceled' as const,
        ),
        lateMs: lateness(),
        isEarlierRelease: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('erase' as const), which: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('wait' as const),
        ms: fc.constantFrom(1, MINUTE_MS, 16 * MINUTE_MS, 5 * HOUR_MS, 2 * DAY_MS),
      }),
    },
    { weight: 5, arbitrary: fc.record({ type: fc.constant('work' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('kill' as const), after: fc.integer({ min: 0, max: 8 }) }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('reset' as const) }) },
  ),
  { minLength: 4, maxLength: 40, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;

function someFields() {
  return fc.record({
    application_id: fc.constantFrom(...APPLICATIONS),
    currency: fc.constantFrom('EUR', 'USD'),
    amount: fc.integer({ min: 1, max: 9 }),
  });
}

/** How far behind the other clocks the instance that writes is. */
function lateness() {
  return fc.constantFrom(0, 0, 30_000);
}

const somePeriod = fc.record({
  basis: fc.constantFrom<Basis>('created', 'succeeded'),
  unit: fc.constantFrom('hour' as const, 'day' as const),
  fromMs: fc.constantFrom(0, 1, 7 * MINUTE_MS, 15 * MINUTE_MS, DAY_MS, 3 * DAY_MS),
  lengthMs: fc.constantFrom(1, 15 * MINUTE_MS, DAY_MS + 45 * MINUTE_MS, 2 * DAY_MS, 100 * DAY_MS),
});

async function run(teamId: string, step: Step): Promise<void> {
  const { app, clock } = payments;
  if (step.type === 'create') {
    const createdAt = new Date(clock.now() - step.lateMs);
    await app.store.insert(aNewPayment({ team_id: teamId, dueAt: null, createdAt, ...step.fields }));
  } else if (step.type === 'end') await end(teamId, step);
  else if (step.type === 'erase') await erase(teamId, step.which);
  else if (step.type === 'wait') clock.advance(step.ms);
  else if (step.type === 'work') await rollUpPayments(app);
  else if (step.type === 'kill') await killWorker(step.after);
  else await reset(teamId);
}

async function end(teamId: string, { which, as, lateMs, isEarlierRelease }: Extract<Step, { type: 'end' }>) {
  const open = await stored(teamId, { status: 'pending' });
  const payment = open[which % open.length];
  if (!payment) return;
  const at = new Date(Math.max(payments.clock.now() - lateMs, payment.created_at.getTime()));
  const failure = as === 'payment.failed' ? { set: { failure: { code: 'declined', message: '' } } } : {};
  await payments.app.store.transition(payment, { type: as, at, cause: CAUSE, requestId: null, ...failure });
  if (isEarlierRelease) {
    await payments.collection.updateOne({ _id: payment._id as never }, { $unset: { succeeded_at: 1 } });
  }
}

async function erase(teamId: string, which: number): Promise<void> {
  const ended = await stored(teamId, { status: { $ne: 'pending' }, erased_at: null });
  const payment = ended[which % ended.length];
  if (payment) {
    const at = new Date(payments.clock.now());
    await payments.app.store.erase(payment, { at, cause: CAUSE, requestId: null });
  }
}

/** A worker that disappears before one of its reads or writes. */
async function killWorker(after: number): Promise<void> {
  let left = after;
  const dying = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name) as unknown;
        if (typeof value !== 'function') return typeof value === 'object' && value ? dying(value) : value;
        return (...args: unknown[]) => {
          if (left === 0) throw new Error('killed');
          left -= 1;
          return Reflect.apply(value, object, args) as unknown;
        };
      },
    });
  const { rollUps, counted, resets } = payments.app;
  const worker = { ...payments.app, rollUps: dying(rollUps), counted: dying(counted), resets: dying(resets) };
  await rollUpPayments(worker).catch(() => undefined);
  payments.clock.advance(LEASE_MS);
}

/** What a reset does in the database, also when an earlier release does it. */
async function reset(teamId: string): Promise<void> {
  const requestedAt = new Date(payments.clock.now());
  const _id = newId('sandboxReset');
  await payments.app.resets.model.create({
    _id,
    team_id: teamId,
    status: 'in_progress',
    requested_at: requestedAt,
    completed_at: null,
    due_at: requestedAt,
    outbox: [],
  });
  await payments.collection.deleteMany({ team_id: teamId, created_at: { $lt: requestedAt } });
  const done = { $set: { status: 'completed' }, $unset: { due_at: 1 } };
  await payments.connection.collection('sandbox_resets').updateOne({ _id: _id as never }, done);
}

async function stored(teamId: string, filter: object = {}): Promise<PaymentDocument[]> {
  return (await payments.collection
    .find({ team_id: teamId, ...filter })
    .toArray()) as unknown as PaymentDocument[];
}

/** By the history alone, which no roll-up and no index knows. */
async function countOneByOne(teamId: string, { basis, from, to, unit }: Omit<CountedPeriod, 'teamId'>) {
  const rows = new Map<string, number[]>();
  for (const payment of await stored(teamId)) {
    const at =
      basis === 'created'
        ? payment.created_at
        : payment.history.find(({ type }) => type === 'payment.succeeded')?.occurred_at;
    if (!at || at < from || at >= to) continue;
    const unitMs = unit === 'hour' ? HOUR_MS : DAY_MS;
    add(rows, { ...payment, failure_code: payment.failure?.code ?? null }, Math.floor(+at / unitMs), 1);
  }
  return rows;
}

async function count(teamId: string, period: Omit<CountedPeriod, 'teamId'>) {
  const rows = new Map<string, number[]>();
  const counted = await countPayments(payments.app, { teamId, ...period });
  if (!counted.isComplete) return null;
  for (const row of counted.rows) {
    const unitMs = period.unit === 'hour' ? HOUR_MS : DAY_MS;
    add(rows, row, +row.at / unitMs, row.payments);
  }
  return rows;
}

function add(
  rows: Map<string, number[]>,
  row: {
    application_id: string;
    currency: string;
    status: string;
    failure_code: string | null;
    amount: number;
  },
  unit: number,
  counted: number,
): void {
  const key = [row.application_id, row.currency, row.status, row.failure_code, unit].join(' ');
  const [before = 0, amount = 0] = rows.get(key) ?? [];
  rows.set(key, [before + counted, amount + row.amount]);
}

test('totals of any period are those of its payments, after any history with workers that die', async () => {
  let [fromRollUps, checked, notFollowed] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.array(somePeriod, { minLength: 3, maxLength: 3 }),
      async (history, periods) => {
        const teamId = newId('team');
        const startMs = payments.clock.now() - (payments.clock.now() % DAY_MS);
        for (const [index, step] of history.entries()) {
          await run(teamId, step);
          const { basis, unit, fromMs, lengthMs } = periods[
            index % periods.length
          ] as (typeof periods)[number];
          const from = new Date(startMs + fromMs);
          const period = {
            environment: 'sandbox',
            basis,
            unit,
            from,
            to: new Date(+from + lengthMs),
          } as const;
          const counted = await count(teamId, period);
          if (counted === null) notFollowed += 1;
          else expect(counted).toEqual(await countOneByOne(teamId, period));
          checked += 1;
        }
        fromRollUps += await payments.connection
          .collection('payment_roll_ups')
          .countDocuments({ team_id: teamId, due_at: { $exists: false }, rows: { $regex: 'app_' } });
      },
    ),
    { numRuns: 60 },
  );
  // Otherwise, the payments alone would have been counted.
  expect(fromRollUps).toBeGreaterThan(20);
  expect(notFollowed).toBeLessThan(checked / 2);
}, 240_000);

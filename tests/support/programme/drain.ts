import { eventually } from '@tollgate/test-kit/eventually';
import type { Driver } from './driver.ts';
import { everyEvent } from './final-state.ts';
import type { PerformedOperation } from './history.ts';
import type { Plan } from './plan.ts';
import type { World } from './world.ts';

const WITHIN = { timeoutMs: 60_000, intervalMs: 250 };
/** Operations at the same time. */
const CONCURRENCY = 8;

/**
 * Ends what the run has begun, after the last fault: repeats operations until their outcome is known, cancels payments that only a
 * caller can end, and uses each revoked key once more. Returns how many unknown outcomes became known.
 */
export async function drain(world: World, plan: Plan, driver: Driver): Promise<number> {
  const unknown = driver.operations.filter((performed) => isUnknown(plan, performed));
  await forEach(unknown, (performed) => resolve(driver, performed));
  await cancelHeldPayments(world, plan, driver);
  await useRevokedKeys(driver);
  return unknown.length;
}

/** A creation without an idempotency key must not be repeated. */
function isUnknown(plan: Plan, { operation, outcome }: PerformedOperation): boolean {
  if (outcome !== 'unknown') return false;
  return operation.kind !== 'create' || plan.orders.get(operation.order)?.idempotencyKey !== undefined;
}

async function cancelHeldPayments(world: World, plan: Plan, driver: Driver): Promise<void> {
  const events = await eventuallyRead(() => everyEvent(world));
  const open = new Map<string, string>();
  for (const { data } of events.toSorted((a, b) => a.data.version - b.data.version)) {
    if (data.status === 'pending') open.set(data.reference ?? '', data.id);
    else open.delete(data.reference ?? '');
  }
  const held = [...open].filter(([order]) => plan.orders.get(order)?.isHeld);
  await forEach(held, async ([order, paymentId]) => {
    driver.learn(order, paymentId);
    await resolve(driver, await driver.perform({ kind: 'cancel', order }));
  });
}

/** Repeats an operation until its outcome is known. */
async function resolve(driver: Driver, performed: PerformedOperation): Promise<void> {
  await eventually(
    `the outcome of operation ${performed.index} is known`,
    async () => {
      if (performed.outcome === 'unknown') await driver.repeat(performed);
      return performed.outcome !== 'unknown';
    },
    WITHIN,
  );
}

async function useRevokedKeys(driver: Driver): Promise<void> {
  const revoked = new Set(
    driver.operations.flatMap(({ operation, outcome }) =>
      operation.kind === 'revoke-key' && outcome === 'acknowledged' ? [operation.key] : [],
    ),
  );
  await forEach([...revoked], (key) =>
    eventually(
      `${key} is rejected`,
      async () => {
        const performed = await driver.perform({ kind: 'use-key', key });
        await resolve(driver, performed);
        return performed.outcome === 'skipped' || performed.attempts.at(-1)?.status === 401;
      },
      WITHIN,
    ),
  );
}

/** Some at the same time. */
async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  async function work(): Promise<void> {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** RPCs fail as unavailable until every service has reconnected. */
async function eventuallyRead<Result>(read: () => Promise<Result>): Promise<Result> {
  let result: { value: Result } | null = null;
  await eventually(
    'the platform responds',
    async () => {
      result = await read().then(
        (value) => ({ value }),
        () => null,
      );
      return result !== null;
    },
    WITHIN,
  );
  return (result as unknown as { value: Result }).value;
}

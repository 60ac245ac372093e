import { expect, it } from 'vitest';
import { inBatches } from './in-batches.ts';

/** An operation that doubles numbers and rejects negative ones, with the batches that it received. */
function doubling({ maxItems = 100 } = {}) {
  const batches: number[][] = [];
  const double = inBatches(async (items: number[]) => {
    batches.push(items);
    await new Promise((resolve) => setImmediate(resolve));
    if (items.some((item) => item < 0)) throw new Error('negative');
    return items.map((item) => 2 * item);
  }, maxItems);
  return { batches, double };
}

it('an operation in batches runs concurrent calls as one batch, and returns each its own result', async () => {
  const { batches, double } = doubling();
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

it('an operation in batches gathers items while a batch is in flight, up to the limit', async () => {
  const { batches, double } = doubling({ maxItems: 2 });
  const first = double(1);
  const others = first.then(() => double(5));
  expect(await Promise.all([first, ...[2, 3, 4].map(double), others])).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

it('an operation in batches starts a batch for a lone item beside one in flight, but not beside many', async () => {
  const batches: number[][] = [];
  const reply = Promise.withResolvers<void>();
  const run = inBatches(async (items: number[]) => {
    batches.push(items);
    await reply.promise;
    return items;
  }, 100);
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const results = [run(1)];
  await nextTurn();
  results.push(run(2));
  await nextTurn();
  expect(batches).toEqual([[1], [2]]);

  const many = Array.from({ length: 20 }, (_, index) => 3 + index);
  results.push(...many.map(run));
  await nextTurn();
  expect(batches).toHaveLength(2);
  reply.resolve();
  await Promise.all(results);
  expect(batches).toEqual([[1], [2], many]);
});

it('an operation in batches rejects only the invalid item of a batch', async () => {
  const { batches, double } = doubling();
  const results = await Promise.allSettled([1, -2, 3].map(double));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([[1, -2, 3], [1], [-2], [3]]);
  expect(await double(4)).toBe(8);
});

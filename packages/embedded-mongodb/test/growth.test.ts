import { expect, test } from 'vitest';
import { fill, timeOperations } from '../bench/support/growth-run.ts';
import { INDEXES } from '../bench/support/payment-documents.ts';
import { startForTest } from './support/server-under-test.ts';

const SMALL = 1000;
const LARGE = 20_000;
const ROUNDS = 60;
/** bench/growth.ts asserts 3. On a busy machine, a few rounds can measure twice the time. */
const MOST_TIMES_SLOWER = 6;

test('indexed operations take about as long in a large collection as in a small one', async () => {
  const { client, command } = await startForTest();
  const filled = async (size: number) => {
    const name = `payments-${size}`;
    await command({ createIndexes: name, indexes: INDEXES });
    const payments = client.db('test').collection(name);
    await fill(payments, size);
    await timeOperations(payments, size, ROUNDS);
    return payments;
  };
  const small = await filled(SMALL);
  const large = await filled(LARGE);
  const before = await timeOperations(small, SMALL, ROUNDS);
  const after = await timeOperations(large, LARGE, ROUNDS);
  // A scan of the collection would take 20 times as long.
  expect(after.findOne / before.findOne).toBeLessThan(MOST_TIMES_SLOWER);
  expect(after.page / before.page).toBeLessThan(MOST_TIMES_SLOWER);
  expect(after.update / before.update).toBeLessThan(MOST_TIMES_SLOWER);
}, 60_000);

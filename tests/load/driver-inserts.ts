import { openPaymentCopies } from './payment-copies.ts';

/**
 * Inserts payments with the driver, in a process of its own. Each message starts a run; the reply is the number
 * of payments that it inserted.
 *
 * Usage: fork(driver-inserts.ts, [MongoDB URL, database of the stored payment])
 */
const [url = '', database = ''] = process.argv.slice(2);

export interface InsertRun {
  concurrency: number;
  seconds: number;
}

const copies = await openPaymentCopies(url, database);
process.on('message', async ({ concurrency, seconds }: InsertRun) => {
  const endsAtMs = performance.now() + seconds * 1000;
  const inserted = await Promise.all(Array.from({ length: concurrency }, () => insertUntil(endsAtMs)));
  process.send?.(inserted.reduce((sum, count) => sum + count));
});
process.on('disconnect', () => void copies.close());
process.send?.('ready');

async function insertUntil(endsAtMs: number): Promise<number> {
  let inserted = 0;
  for (; performance.now() < endsAtMs; inserted += 1) await copies.insert();
  return inserted;
}

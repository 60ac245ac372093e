import { runInTrace } from '@tollgate/tracing/current-trace';

/** Unless given: one batch is prepared and sent while the other one waits for the disk. */
const MAX_IN_FLIGHT = 2;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Turns an operation on many items into one on a single item. Items that arrive while batches are in flight form the next batch: batches
 * grow with the load, and no item waits for a batch to fill. The items of a failed batch run again one by one, so that only an invalid item
 * fails. `run` must therefore be repeatable. It resolves to one result per item, in the same order. It is no part of the trace of an item.
 */
export function inBatches<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  maxItems: number,
  maxInFlight = MAX_IN_FLIGHT,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;

  async function settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error(`A batch of ${batch.length} has ${results.length} results.`);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map((single) => settle([single])));
    }
  }

  async function work(): Promise<void> {
    inFlight += 1;
    while (waiting.length > 0) await settle(waiting.splice(0, maxItems));
    inFlight -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (inFlight === maxInFlight || waiting.length > 1) return;
      // At the end of this turn of the event loop, so that the batch includes the other calls of this turn.
      runInTrace(null, () => setImmediate(() => void work()));
    });
}

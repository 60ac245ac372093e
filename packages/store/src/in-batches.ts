import { runInTrace } from '@tollgate/tracing/current-trace';

/** Beside more items than these, the next ones wait: the round trip costs as much for one item as for many. */
const FEW_IN_FLIGHT = 8;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

/**
 * Turns an operation on many items into one on a single item. Beside few items in flight, a batch starts at once, so that no item waits
 * at a low load. Beside many, the items that arrive form the next batch, so that batches grow with the load. The items of a failed batch
 * run again one by one, so that only an invalid item fails. `run` must therefore be repeatable. It resolves to one result per item, in
 * the same order. It is no part of the trace of an item.
 */
export function inBatches<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  maxItems: number,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let isStarting = false;

  const mayStart = () => inFlight === 0 || inFlight + waiting.length <= FEW_IN_FLIGHT;

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
    isStarting = false;
    while (waiting.length > 0 && mayStart()) {
      const batch = waiting.splice(0, maxItems);
      inFlight += batch.length;
      await settle(batch);
      inFlight -= batch.length;
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isStarting || !mayStart()) return;
      isStarting = true;
      // At the end of this turn of the event loop, so that the batch includes the other calls of this turn.
      runInTrace(null, () => setImmediate(() => void work()));
    });
}

/** Far below the limits of a member, so that many requests of one page do not use them up. */
const CONCURRENCY = 8;

/** Maps each item by a request of its own, with a few requests at the same time. */
export async function mapInTurn<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    results.push(...(await Promise.all(items.slice(start, start + CONCURRENCY).map(map))));
  }
  return results;
}

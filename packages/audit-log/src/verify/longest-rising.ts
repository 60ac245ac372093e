/**
 * Returns the indexes of a longest strictly increasing subsequence, by patience sorting: O(n log n). In a reordered
 * list of records, the records outside it are a smallest set of moved ones.
 */
export function longestRising(values: readonly number[]): Set<number> {
  /** For each length, the index of the smallest value that ends an increasing subsequence of that length. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : (ends[low - 1] as number));
    ends[low] = index;
  }
  const rising = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] as number) rising.add(index);
  return rising;
}

/**
 * The indexes of a longest strictly rising subsequence, by patience sorting: O(n log n). Of records that were reordered, all that are not in
 * it are those that were moved, and no fewer moves explain what is seen.
 */
export function longestRising(values: readonly number[]): Set<number> {
  /** For each length, the index of the smallest value that a rising subsequence of it can end with. */
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

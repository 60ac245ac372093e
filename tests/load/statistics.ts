export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Throws if there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const [min, max, median] = [sorted[0], sorted.at(-1), sorted[Math.floor(sorted.length / 2)]];
  if (min === undefined || max === undefined || median === undefined) throw new Error('No values.');
  return { median, min, max };
}

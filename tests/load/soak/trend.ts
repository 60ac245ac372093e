/** A value at a time, both in units of the caller. */
export type Point = readonly [x: number, y: number];

/** Slope of the least-squares line through the points: change of the value per unit of time. */
export function slopeOf(points: readonly Point[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const covariance = sum(points.map(([x, y]) => (x - meanX) * (y - meanY)));
  const variance = sum(points.map(([x]) => (x - meanX) ** 2));
  return covariance / variance;
}

/**
 * How much the lowest value rises per unit of time, from the first half of the time to the second. Garbage and bursts of connections
 * only add to what a process keeps, so that the lowest value shows a leak, and a line through all values does not.
 */
export function lowWaterSlope(points: readonly Point[]): number {
  const [start, end] = [points[0]?.[0] ?? Number.NaN, points.at(-1)?.[0] ?? Number.NaN];
  const middle = (start + end) / 2;
  const low = (half: readonly Point[]) => Math.min(...half.map(([, y]) => y));
  const rise = low(points.filter(([x]) => x >= middle)) - low(points.filter(([x]) => x < middle));
  return rise / (middle - start);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

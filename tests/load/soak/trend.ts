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

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

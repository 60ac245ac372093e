/** Expressions that MongoDB 7 has and this server has not: refused as such, and not as misspelt. */
const UNSUPPORTED = new Set([
  '$accumulator',
  '$dateFromString',
  '$function',
  '$median',
  '$meta',
  '$percentile',
  '$sampleRate',
  '$toHashedIndexKey',
]);

export function isKnownOperator(name: string): boolean {
  return UNSUPPORTED.has(name);
}

/** Expressions that MongoDB 7 has and this server has not: refused as such, and not as misspelt. */
const UNSUPPORTED = new Set([
  '$accumulator',
  '$binarySize',
  '$bitAnd',
  '$bitNot',
  '$bitOr',
  '$bitXor',
  '$bsonSize',
  '$dateFromParts',
  '$dateFromString',
  '$dateToParts',
  '$firstN',
  '$function',
  '$indexOfBytes',
  '$lastN',
  '$log',
  '$maxN',
  '$median',
  '$meta',
  '$minN',
  '$percentile',
  '$pow',
  '$regexFind',
  '$regexFindAll',
  '$sampleRate',
  '$toHashedIndexKey',
  '$tsIncrement',
  '$tsSecond',
  '$zip',
]);

export function isKnownOperator(name: string): boolean {
  return UNSUPPORTED.has(name);
}

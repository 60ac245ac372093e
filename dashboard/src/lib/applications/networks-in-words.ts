/** From where a key may be used, short enough for a row of a table. */
export function networksInWords(cidrs: readonly string[]): string {
  const [only] = cidrs;
  if (only === undefined) return 'Any network';
  return cidrs.length === 1 ? only : `${cidrs.length} networks`;
}

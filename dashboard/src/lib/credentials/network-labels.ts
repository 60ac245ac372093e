/** The networks that may use a key, short enough for a table row. */
export function networksLabel(cidrs: readonly string[]): string {
  const [only] = cidrs;
  if (only === undefined) return 'Any network';
  return cidrs.length === 1 ? only : `${cidrs.length} networks`;
}

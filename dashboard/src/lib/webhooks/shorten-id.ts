const TAIL_LENGTH = 6;

/** `pay_…5x2m4n`: the prefix says what it is, the end tells it from others made at the same moment. */
export function shortenId(id: string): string {
  const prefixEnd = id.indexOf('_') + 1;
  return `${id.slice(0, prefixEnd)}…${id.slice(-TAIL_LENGTH)}`;
}

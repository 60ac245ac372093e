const TAIL_LENGTH = 6;

/** `pay_…5x2m4n`: the prefix shows the type, and the end distinguishes ids that were created at the same time. */
export function shortenId(id: string): string {
  const prefixEnd = id.indexOf('_') + 1;
  return `${id.slice(0, prefixEnd)}…${id.slice(-TAIL_LENGTH)}`;
}

/** The networks of a text field: one per line; commas and spaces separate, too, because people paste lists. */
export function readCidrs(text: string): string[] {
  return text.split(/[\s,;]+/).filter((cidr) => cidr !== '');
}

/**
 * Reads the networks of a text field: one per line. Commas and spaces also separate them, because people paste lists.
 */
export function readCidrs(text: string): string[] {
  return text.split(/[\s,;]+/).filter((cidr) => cidr !== '');
}

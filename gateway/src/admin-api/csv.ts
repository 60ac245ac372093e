/** RFC 4180 §2: quoted where it holds a comma, a quote or a line break; quotes are doubled. */
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * What a spreadsheet reads as the beginning of a formula. A caller of the public API chooses these texts, and the formula would
 * run on the computer of anyone who opens the file (CWE-1236). Where a comma is the decimal mark, a spreadsheet parts cells at `;`
 * and heeds no quotes within them, so that a formula may also begin behind one, or on a new line.
 */
const FORMULA_START = /^(?="*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?="*[=+\-@＝＋－＠])/g;

/** One cell. What a spreadsheet would take for a formula in a text of callers gets a `'` before it, which makes it text. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULA_START, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines end with CR LF (RFC 4180 §2.1), the last one too, so that a file which was cut off within a line shows it. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

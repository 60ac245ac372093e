/** RFC 4180 §2: quoted where it holds a comma, a quote or a line break; quotes are doubled. */
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * What a spreadsheet reads as the beginning of a formula. A caller of the public API chooses these texts, and the formula would
 * run on the computer of whoever opens the file (CWE-1236).
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** One cell. A text of callers that a spreadsheet would take for a formula gets a leading `'`, which makes it text. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines end with CR LF (RFC 4180 §2.1), the last one too, so that a file which was cut off within a line shows it. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

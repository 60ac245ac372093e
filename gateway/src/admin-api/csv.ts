/** RFC 4180 §2: a cell is quoted if it contains a comma, a quote, or a line break. Quotes are doubled. */
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Where a spreadsheet would start a formula. Callers of the public API choose these texts, and the formula would run on
 * the computer of the member who opens the file (CWE-1236). Spreadsheets skip spaces and invisible characters before a
 * formula. In locales with a decimal comma, they separate cells at `;` even within quotes, so a formula may also start
 * behind a `;` or a control character, such as a line break.
 */
const FORMULA_START = /^(?=["\s\p{Cf}]*[=+\-@＝＋－＠\p{Cc}])|(?<=[;\p{Cc}])(?="*[=+\-@＝＋－＠])/gu;

/** Without it, spreadsheets read a file in the encoding of the computer, and show `é` as `Ã©`. */
const BYTE_ORDER_MARK = '\uFEFF';

export type CsvValue = string | number | null;

/** The value of each column by its name, in order. */
export type CsvColumns<Row> = Record<string, (row: Row) => CsvValue>;

/** The beginning of a file. */
export function csvHeader<Row>(columns: CsvColumns<Row>): string {
  return BYTE_ORDER_MARK + csvLine(Object.keys(columns));
}

export function csvRow<Row>(columns: CsvColumns<Row>, row: Row): string {
  return csvLine(Object.values(columns).map((read) => read(row)));
}

/** Formats one cell. A `'` before a possible formula makes the spreadsheet treat it as text. */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULA_START, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines end with CR LF (RFC 4180 §2.1), the last one too, so that a file truncated within a line is recognizable. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

import type { Terminal } from '../command.ts';

interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

/** How a command lists rows. */
interface List<Row> {
  limit: number;
  isJson: boolean;
  /** What is listed, in the plural. */
  noun: string;
  readPage(request: { limit: number; cursor: string | undefined }): Promise<Page<Row>>;
  lineOf(row: Row): string;
}

/** Prints up to `limit` rows: as lines, or as one JSON object. */
export async function listRows<Row>(list: List<Row>, terminal: Terminal): Promise<void> {
  const rows = await readRows(list);
  for (const line of list.isJson ? [JSON.stringify({ data: rows }, null, 2)] : rows.map(list.lineOf))
    terminal.print(line);
  if (rows.length === 0) terminal.printError(`No ${list.noun}.`);
}

/** A page can be empty although others follow. */
async function readRows<Row>({ limit, readPage }: List<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage({ limit: limit - rows.length, cursor });
    rows.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < limit);
  return rows;
}

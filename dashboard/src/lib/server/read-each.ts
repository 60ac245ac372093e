import { orNull } from './or-null.ts';

/**
 * Reads records by id, such as those whose names a page shows, and omits those that fail. It makes one call per record, so use it for the
 * few records of one page.
 */
export async function readEach<Row extends { id: string }>(
  ids: Iterable<string>,
  read: (id: string) => Promise<Row>,
): Promise<Map<string, Row>> {
  const rows = await Promise.all([...new Set(ids)].map((id) => orNull(read(id))));
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row.id, row]])));
}

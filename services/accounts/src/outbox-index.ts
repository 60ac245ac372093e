/**
 * Matches documents with audit entries that wait to be published; the same words make the index partial. A comparison and
 * not `$exists`, because it gives every planner a range of the index to scan.
 */
export const HAS_OUTBOX = { 'outbox.id': { $gt: '' } } as const;

/** Arguments of `schema.index`: an index of nothing but documents with waiting entries, for the sweeper. */
export const OUTBOX_INDEX: [{ 'outbox.id': 1 }, { partialFilterExpression: typeof HAS_OUTBOX }] = [
  { 'outbox.id': 1 },
  { partialFilterExpression: HAS_OUTBOX },
];

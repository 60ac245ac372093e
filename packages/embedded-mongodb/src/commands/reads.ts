import type { Document } from '../bson/document.ts';

/** Commands that change nothing and may read much. */
const READS = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'explain',
  'validate',
  'collStats',
  'collstats',
  'dbStats',
  'dbstats',
]);

export function isRead(body: Document): boolean {
  const name = body.keys().next().value;
  return name !== undefined && READS.has(name);
}

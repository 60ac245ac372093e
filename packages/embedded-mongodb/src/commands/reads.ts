import type { Document } from '../bson/document.ts';

/** Commands that only read, and possibly read a lot. */
const READS = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'explain',
  'validate',
  'dbStats',
  'dbstats',
]);

export function isRead(body: Document): boolean {
  const name = body.keys().next().value;
  return name !== undefined && READS.has(name);
}

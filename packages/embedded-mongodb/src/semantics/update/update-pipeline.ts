import type { BsonValue, Document } from '../../bson/document.ts';
import { notImplemented } from '../../bson/mongo-error.ts';

/** Turns a document into what the pipeline makes of it. */
export type UpdatePipeline = (document: Document, now: Date) => Document;

export function parseUpdatePipeline(
  _stages: readonly BsonValue[],
  _variables: Document | undefined,
): UpdatePipeline {
  throw notImplemented('an update with an aggregation pipeline');
}

import { isStageName, parsePipeline, runPipeline } from '../../aggregation/pipeline.ts';
import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';

/** Turns a document into what the pipeline makes of it. */
export type UpdatePipeline = (document: Document, now: Date) => Document;

const ALLOWED_STAGES = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Parses an update that is a pipeline: only stages that make one document of one. */
export function parseUpdatePipeline(
  stages: readonly BsonValue[],
  variables: ReadonlyMap<string, BsonValue>,
  collation?: Collation,
): UpdatePipeline {
  for (const stage of stages) {
    const name = isDocument(stage) ? stage.keys().next().value : undefined;
    if (name !== undefined && isStageName(name) && !ALLOWED_STAGES.has(name)) {
      throw mongoError('InvalidOptions', `${name} is not allowed to be used within an update`);
    }
  }
  // Parsed once for each command: `$$NOW` is the same for all documents that it updates.
  let parsedFor = new Date(0);
  let parsed = parsePipeline([...stages], { now: parsedFor, variables, collation });
  return (document, now) => {
    if (now !== parsedFor) {
      parsedFor = now;
      parsed = parsePipeline([...stages], { now, variables, collation });
    }
    const [result] = runPipeline(parsed, [document]);
    return result as Document;
  };
}

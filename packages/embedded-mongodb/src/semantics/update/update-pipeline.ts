import { parsePipeline, runPipeline } from '../../aggregation/pipeline.ts';
import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';

/** Turns a document into what the pipeline makes of it. */
export type UpdatePipeline = (document: Document, now: Date) => Document;

const ALLOWED_STAGES = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Parses an update that is a pipeline: only stages that make one document of one. */
export function parseUpdatePipeline(
  stages: readonly BsonValue[],
  variables: ReadonlyMap<string, BsonValue>,
): UpdatePipeline {
  for (const stage of stages) {
    const name = isDocument(stage) ? stage.keys().next().value : undefined;
    if (name?.startsWith('$') && !ALLOWED_STAGES.has(name)) {
      throw mongoError('InvalidOptions', `${name} is not allowed to be used within an update`);
    }
  }
  const parse = (now: Date) => parsePipeline([...stages], { now, variables });
  parse(new Date(0)); // what is wrong with it shows even where nothing matches
  return (document, now) => {
    const [result] = runPipeline(parse(now), [document]);
    return result as Document;
  };
}

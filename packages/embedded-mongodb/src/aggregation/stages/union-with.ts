import { type BsonValue, isDocument } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { type ParseStage, refuseWrites, runPipeline } from '../stage.ts';

/** The documents so far, then those of another collection. */
export const parseUnionWith: ParseStage = (operand, context, parsePipeline) => {
  const { find } = context;
  if (find === undefined) throw notImplemented('$unionWith here');
  const collection = isDocument(operand) ? operand.get('coll') : operand;
  if (typeof collection !== 'string') {
    throw mongoError(
      'FailedToParse',
      "the $unionWith stage specification must be a string or an object with a string in 'coll'",
    );
  }
  const pipeline: BsonValue = (isDocument(operand) ? operand.get('pipeline') : undefined) ?? [];
  const stages = parsePipeline(pipeline, context);
  refuseWrites(stages, 31441, '$unionWith');
  return function* united(input) {
    yield* input;
    yield* runPipeline(stages, find(collection, new Map()));
  };
};

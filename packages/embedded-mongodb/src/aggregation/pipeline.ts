import { type BsonValue, isDocument } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { OUT_OF_SCOPE_STAGES } from './out-of-scope.ts';
import type { ParseStage, PipelineContext, Stage } from './stage.ts';
import { parseCollStats } from './stages/coll-stats.ts';
import { parseCurrentOp } from './stages/current-op.ts';
import { parseGroup } from './stages/group.ts';
import { parseIndexStats } from './stages/index-stats.ts';
import { parseAddFields, parseProject, parseReplaceWith } from './stages/reshape.ts';
import { parseLimit, parseMatch, parseSample, parseSkip, parseSortStage } from './stages/select.ts';
import { parseUnwind } from './stages/unwind.ts';

export { type PipelineContext, runPipeline, type Stage } from './stage.ts';

/** Every stage in scope. */
export const STAGES: Readonly<Record<string, ParseStage>> = {
  $match: parseMatch,
  $project: parseProject,
  $addFields: parseAddFields,
  $set: parseAddFields,
  $replaceWith: parseReplaceWith,
  $sort: parseSortStage,
  $limit: parseLimit,
  $skip: parseSkip,
  $sample: parseSample,
  $unwind: parseUnwind,
  $group: parseGroup,
  $collStats: parseCollStats,
  $currentOp: parseCurrentOp,
  $indexStats: parseIndexStats,
};

/** Whether MongoDB 7 has a stage with this name. */
export function isStageName(name: string): boolean {
  return Object.hasOwn(STAGES, name) || OUT_OF_SCOPE_STAGES.has(name);
}

/** MongoDB's internalPipelineLengthLimit. */
const MAX_STAGES = 1000;

export function assertPipelineLength({ length }: readonly BsonValue[]): void {
  if (length > MAX_STAGES)
    throw mongoError(7749501, `Pipeline length must be no longer than ${MAX_STAGES} stages`);
}

/** Parses a pipeline. Throws MongoDB's errors: 40324 for an unknown stage, NotImplemented for a stage out of scope. */
export function parsePipeline(stages: BsonValue, context: PipelineContext): Stage[] {
  if (!Array.isArray(stages))
    throw mongoError('TypeMismatch', "'pipeline' option must be specified as an array");
  assertPipelineLength(stages);
  return stages.map((stage) => parseStage(stage, context));
}

function parseStage(stage: BsonValue, context: PipelineContext): Stage {
  if (!isDocument(stage))
    throw mongoError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) {
    throw mongoError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const [name, operand] = [...stage][0] as [string, BsonValue];
  const parse = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  if (parse !== undefined) return { name, run: parse(operand, context) };
  if (OUT_OF_SCOPE_STAGES.has(name)) throw outOfScope(`the stage ${name}`);
  throw mongoError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

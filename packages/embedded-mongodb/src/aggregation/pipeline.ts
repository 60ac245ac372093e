import { type BsonValue, isDocument } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { type ParseStage, type PipelineContext, type Stage, WRITING_STAGES } from './stage.ts';
import { parseBucket } from './stages/bucket.ts';
import { parseBucketAuto } from './stages/bucket-auto.ts';
import { parseDocuments } from './stages/documents.ts';
import { parseFacet } from './stages/facet.ts';
import { parseGraphLookup } from './stages/graph-lookup.ts';
import { parseGroup, parseSortByCount } from './stages/group.ts';
import { parseListLocalSessions } from './stages/list-local-sessions.ts';
import { parseLookup } from './stages/lookup.ts';
import { parseMerge } from './stages/merge.ts';
import { parseOut } from './stages/out.ts';
import {
  parseAddFields,
  parseProject,
  parseReplaceRoot,
  parseReplaceWith,
  parseUnset,
} from './stages/reshape.ts';
import {
  parseCount,
  parseLimit,
  parseMatch,
  parseSample,
  parseSkip,
  parseSortStage,
} from './stages/select.ts';
import { parseSetWindowFields } from './stages/set-window-fields.ts';
import { parseUnionWith } from './stages/union-with.ts';
import { parseUnwind } from './stages/unwind.ts';

export { type PipelineContext, runPipeline, type Stage, WRITING_STAGES } from './stage.ts';

const STAGES: Readonly<Record<string, ParseStage>> = {
  $match: parseMatch,
  $project: parseProject,
  $addFields: parseAddFields,
  $set: parseAddFields,
  $unset: parseUnset,
  $replaceRoot: parseReplaceRoot,
  $replaceWith: parseReplaceWith,
  $sort: parseSortStage,
  $limit: parseLimit,
  $skip: parseSkip,
  $count: parseCount,
  $sample: parseSample,
  $unwind: parseUnwind,
  $group: parseGroup,
  $sortByCount: parseSortByCount,
  $bucket: parseBucket,
  $bucketAuto: parseBucketAuto,
  $setWindowFields: parseSetWindowFields,
  $graphLookup: parseGraphLookup,
  $facet: parseFacet,
  $lookup: parseLookup,
  $unionWith: parseUnionWith,
  $documents: parseDocuments,
  $listLocalSessions: parseListLocalSessions,
  $out: parseOut,
  $merge: parseMerge,
};

/** Stages that make documents themselves, where a pipeline has no collection. */
export const SOURCE_STAGES: ReadonlySet<string> = new Set(['$documents', '$currentOp', '$listLocalSessions']);

/** Stages that MongoDB 7 has and this server has not: refused as such, not as misspelt. */
const UNSUPPORTED = new Set([
  '$changeStream',
  '$changeStreamSplitLargeEvent',
  '$collStats',
  '$currentOp',
  '$densify',
  '$fill',
  '$geoNear',
  '$indexStats',
  '$listSampledQueries',
  '$listSearchIndexes',
  '$listSessions',
  '$planCacheStats',
  '$redact',
  '$search',
  '$searchMeta',
  '$vectorSearch',
]);

/** Whether MongoDB 7 has a stage of that name. */
export function isStageName(name: string): boolean {
  return Object.hasOwn(STAGES, name) || UNSUPPORTED.has(name);
}

/** Parses a pipeline. Throws MongoDB's errors; an unknown stage is 40324, one that is not supported NotImplemented. */
export function parsePipeline(stages: BsonValue, context: PipelineContext): Stage[] {
  if (!Array.isArray(stages))
    throw mongoError('TypeMismatch', "'pipeline' option must be specified as an array");
  const parsed = stages.map((stage) => parseStage(stage, context));
  for (const [place, { name }] of parsed.entries()) refuseMisplaced(name, place, parsed.length);
  return parsed;
}

function refuseMisplaced(name: string, place: number, count: number): void {
  if (WRITING_STAGES.has(name) && place < count - 1)
    throw mongoError(40601, `${name} can only be the final stage in the pipeline`);
  if (SOURCE_STAGES.has(name) && place > 0)
    throw mongoError(40602, `${name} is only valid as the first stage in a pipeline`);
}

function parseStage(stage: BsonValue, context: PipelineContext): Stage {
  if (!isDocument(stage))
    throw mongoError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) {
    throw mongoError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const [name, operand] = [...stage][0] as [string, BsonValue];
  const parse = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined;
  if (parse !== undefined) return { name, run: parse(operand, context, parsePipeline) };
  if (UNSUPPORTED.has(name)) throw notImplemented(`the stage ${name}`);
  throw mongoError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

import type { BsonValue, Document } from '../bson/document.ts';
import { isDocument, isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { FoundRecord } from '../planner/execute.ts';
import type { Collation } from '../semantics/collation.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { ParsedUpdate } from '../semantics/update.ts';
import type { VariableNames } from './expression.ts';
import type { Scope } from './scope.ts';

/** What a pipeline knows beyond the documents it is given. */
export interface PipelineContext {
  now: Date;
  /** The command's `let`; within `$lookup` also its own. */
  variables: ReadonlyMap<string, BsonValue | undefined>;
  /** How strings compare; undefined: by their bytes. */
  collation?: Collation | undefined;
  /** Reads another collection of the database, for `$lookup` and `$unionWith`; absent where they are not to be had. */
  find?: ((collection: string, filter: Document) => Iterable<Document>) | undefined;
  /** The sessions of clients, for `$listLocalSessions`. */
  localSessions?: (() => Document[]) | undefined;
  /** Absent where nothing may be written. */
  writes?: PipelineWrites | undefined;
}

/** A collection that a stage writes to; without a database, in that of the command. */
export interface Namespace {
  databaseName: string | undefined;
  collectionName: string;
}

/** What `$out` and `$merge` do with collections. */
export interface PipelineWrites {
  /** Puts the documents in the place of all there are, or leaves everything as it is and throws. */
  replaceCollection(target: Namespace, documents: Iterable<Document>): void;
  /** The collection, made if it is not there. */
  mergeInto(target: Namespace): MergeTarget;
}

export interface MergeTarget {
  /** Whether a unique index makes sure that there is at most one document with the same values in these fields. */
  isUniqueOn(paths: readonly string[]): boolean;
  find(keys: readonly (readonly [path: string, value: BsonValue])[]): FoundRecord | undefined;
  update(found: FoundRecord, changes: ParsedUpdate): void;
  insert(document: Document): void;
}

/** One stage: makes documents of documents, as lazily as it can. */
export interface Stage {
  name: string;
  run(input: Iterable<Document>): Iterable<Document>;
}

/** How a stage is parsed from what is written after its name. */
export type ParseStage = (
  operand: BsonValue,
  context: PipelineContext,
  parsePipeline: ParsePipeline,
) => Stage['run'];
export type ParsePipeline = (stages: BsonValue, context: PipelineContext) => Stage[];

/** Stages that write to a collection; they can only be the last one. */
export const WRITING_STAGES: ReadonlySet<string> = new Set(['$out', '$merge']);

export function writesOf({ writes }: PipelineContext, name: string): PipelineWrites {
  if (writes === undefined) throw mongoError(40600, `${name} is not allowed here`);
  return writes;
}

/** Refuses stages that write in a pipeline within a stage. */
export function refuseWrites(stages: readonly Stage[], code: number, within: string): void {
  const writing = stages.find(({ name }) => WRITING_STAGES.has(name));
  if (writing !== undefined)
    throw mongoError(code, `${writing.name} is not allowed within a ${within}'s sub-pipeline`);
}

export function variableNames(context: PipelineContext): VariableNames {
  return new Set(context.variables.keys());
}

export function scopeFor(root: Document, context: PipelineContext): Scope {
  return { root, now: context.now, variables: context.variables, collation: context.collation };
}

/** A stage that makes one document of each. */
export function mapping(change: (document: Document) => Document): Stage['run'] {
  return function* mapped(input) {
    for (const document of input) yield change(document);
  };
}

/** The operand as a document, or the stage's own error for anything else. */
export function documentOperand(operand: BsonValue, code: number, message: string): Document {
  if (!isDocument(operand)) throw mongoError(code, message);
  return operand;
}

/** The operand as a whole number of at least `least`, or the stage's own errors. */
export function countOperand(
  name: string,
  operand: BsonValue,
  least: number,
  code: number,
  codeBelow: number,
): number {
  const count = isNumeric(operand) ? toNearestDouble(operand) : Number.NaN;
  if (!Number.isInteger(count)) {
    throw mongoError(code, `invalid argument to ${name} stage: Expected an integer`);
  }
  if (count < least)
    throw mongoError(
      codeBelow,
      `invalid argument to ${name} stage: must be at least ${least}, found ${count}`,
    );
  return count;
}

/** What the stages make of the documents, lazily where they can. */
export function runPipeline(stages: readonly Stage[], input: Iterable<Document>): Iterable<Document> {
  return stages.reduce((documents, stage) => stage.run(documents), input);
}

import type { BsonValue, Document } from '../bson/document.ts';
import { isDocument, isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collation } from '../semantics/collation.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
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

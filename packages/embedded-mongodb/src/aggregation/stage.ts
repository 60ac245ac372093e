import type { BsonValue, Document } from '../bson/document.ts';
import { spendSteps } from '../computation-limit.ts';
import type { Collection } from '../storage/collection.ts';

/** What a pipeline can read besides its input documents. */
export interface PipelineContext {
  now: Date;
  /** Input of the stages that report on the server. Only the pipeline of an `aggregate` command has it. */
  reports?: ServerReports;
}

/** Reports on the collection of the command and on the server. */
export interface ServerReports {
  readonly namespace: string;
  /** Undefined if the collection does not exist. */
  readonly collection: Collection | undefined;
  /** Sizes of the collection, divided by `scale`. */
  storageStats(scale: BsonValue | undefined): Document;
  /** Operations in progress. */
  operations(includesIdle: boolean): Document[];
}

export function reportsOf({ reports }: PipelineContext, stage: string): ServerReports {
  if (reports === undefined) throw new Error(`${stage} requires the reports of the server`);
  return reports;
}

/** One stage. It turns documents into documents, lazily where it can. */
export interface Stage {
  name: string;
  run(input: Iterable<Document>): Iterable<Document>;
}

/** Parses a stage from its operand. */
export type ParseStage = (operand: BsonValue, context: PipelineContext) => Stage['run'];

/** The cost of a stage per document, besides its expressions. */
const STEPS_PER_DOCUMENT = 10;

/** A stage that turns each document into one document. */
export function mapping(change: (document: Document) => Document): Stage['run'] {
  return function* mapped(input) {
    for (const document of input) {
      spendSteps(STEPS_PER_DOCUMENT);
      yield change(document);
    }
  };
}

/** Runs the stages over the documents, lazily where they can. */
export function runPipeline(stages: readonly Stage[], input: Iterable<Document>): Iterable<Document> {
  return stages.reduce((documents, stage) => stage.run(documents), input);
}

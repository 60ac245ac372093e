import type { BsonValue, Document } from '../../src/bson/document.ts';

/** Candidates of which any `take` may be returned in any order. A list of groups is in order. */
export interface Group {
  candidates: Document[];
  take: number;
}

/** A possible reply to a command. */
export type ExpectedReply =
  | { kind: 'rejected'; codes: (number | undefined)[] }
  | { kind: 'documents'; groups: Group[] }
  /** Each distinct value once, in any of its equal forms. */
  | { kind: 'values'; candidates: BsonValue[] }
  /** Fields of the reply. */
  | { kind: 'fields'; fields: Document };

/** A reply and the documents after the command: one version of each, in any order. */
export interface Alternative {
  reply: ExpectedReply;
  after: (Document | undefined)[][];
}

/** The possible outcomes, of which one must occur. */
export type Expected = Alternative[];

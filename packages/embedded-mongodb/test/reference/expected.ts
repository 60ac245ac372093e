import type { BsonValue, Document } from '../../src/bson/document.ts';

/** Results of which any `take` may be returned, in any order; lists of these are in order. */
export interface Group {
  candidates: Document[];
  take: number;
}

/** What a command may reply. */
export type ExpectedReply =
  | { kind: 'rejected'; codes: (number | undefined)[] }
  | { kind: 'documents'; groups: Group[] }
  /** Each value once, in any of the forms it has. */
  | { kind: 'values'; candidates: BsonValue[] }
  /** Fields of the reply. */
  | { kind: 'fields'; fields: Document };

/** A reply, and what documents there are afterwards: of each one version, in any order. */
export interface Alternative {
  reply: ExpectedReply;
  after: (Document | undefined)[][];
}

/** One of the alternatives is right. */
export type Expected = Alternative[];

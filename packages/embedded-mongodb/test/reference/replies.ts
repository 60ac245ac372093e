import type { BsonValue, Document } from '../../src/bson/document.ts';
import type { Alternative, Expected, ExpectedReply } from './expected.ts';
import { intOrLong, wholeNumber } from './numbers.ts';
import type { Maybe } from './order.ts';
import { Rejected, rejectUnless } from './rejected.ts';

/** A collection as commands see it. */
export interface Target {
  readonly documents: readonly Document[];
}

export const count = (number: number): BsonValue => intOrLong(BigInt(number));
export const asDocument = (value: Maybe): Document => (value instanceof Map ? value : new Map());

/** Reads a limit. Null and 0 mean no limit. */
export function countOf(value: Maybe): number {
  if (value === undefined || value === null) return 0;
  const whole = wholeNumber(value);
  rejectUnless(whole !== undefined, 'must be a whole number');
  return Number(whole);
}

export const fields = (entries: [string, BsonValue][]): ExpectedReply => ({
  kind: 'fields',
  fields: new Map(entries),
});

/** The documents with one possible version each. */
export const unchanged = (documents: readonly Document[]): Document[][] =>
  documents.map((document) => [document]);

export const without = (documents: readonly Document[], one: Document): Document[] =>
  documents.filter((document) => document !== one);

export function rejection({ documents }: Target, codes: (number | undefined)[]): Alternative {
  return { reply: { kind: 'rejected', codes }, after: unchanged(documents) };
}

/** The outcome of a command that changes nothing. */
export const onlyReply = ({ documents }: Target, reply: ExpectedReply): Expected => [
  { reply, after: unchanged(documents) },
];

/** Returns the alternative, or a rejection if `run` throws one. */
export function attempt(collection: Target, run: () => Alternative): Alternative {
  try {
    return run();
  } catch (error) {
    if (error instanceof Rejected) return rejection(collection, [error.code]);
    throw error;
  }
}

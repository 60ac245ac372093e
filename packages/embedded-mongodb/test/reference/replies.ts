import type { BsonValue, Document } from '../../src/bson/document.ts';
import type { Alternative, Expected, ExpectedReply } from './expected.ts';
import { intOrLong, wholeNumber } from './numbers.ts';
import type { Maybe } from './order.ts';
import { Rejected, rejectUnless } from './rejected.ts';

/** What a command sees of a collection. */
export interface Target {
  readonly documents: readonly Document[];
}

export const count = (number: number): BsonValue => intOrLong(BigInt(number));
export const asDocument = (value: Maybe): Document => (value instanceof Map ? value : new Map());

/** A count of documents: null and 0 are no limit. */
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

/** Documents of which there is one version each. */
export const unchanged = (documents: readonly Document[]): Document[][] =>
  documents.map((document) => [document]);

export const without = (documents: readonly Document[], one: Document): Document[] =>
  documents.filter((document) => document !== one);

export function rejection({ documents }: Target, codes: (number | undefined)[]): Alternative {
  return { reply: { kind: 'rejected', codes }, after: unchanged(documents) };
}

/** The reply of a command that changes nothing. */
export const onlyReply = ({ documents }: Target, reply: ExpectedReply): Expected => [
  { reply, after: unchanged(documents) },
];

/** The alternative, or that the command is rejected. */
export function attempt(collection: Target, run: () => Alternative): Alternative {
  try {
    return run();
  } catch (error) {
    if (error instanceof Rejected) return rejection(collection, [error.code]);
    throw error;
  }
}

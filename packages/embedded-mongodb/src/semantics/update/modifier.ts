import type { BsonValue, Document } from '../../bson/document.ts';

/** What a modifier answers where the value stays as it is. */
export const UNCHANGED = Symbol('unchanged');
/** What a modifier answers where the field goes away; in an array its place becomes null. */
export const REMOVED = Symbol('removed');

export type Outcome = BsonValue | typeof UNCHANGED | typeof REMOVED;

/** What is known while an update is applied to one document. */
export interface ApplyContext {
  /** The document before the update. */
  original: Document;
  isInsert: boolean;
  now: Date;
  /** The place that the positional `$` stands for: where the filter matched in an array. */
  position: number | undefined;
}

/** One operator on one path, e.g. the `$inc` by 2 of a field. */
export interface Modifier {
  operator: string;
  /**
   * What it does where the path leads nowhere because something that is no document is in the way:
   * `create` and `refuse` throw PathNotViable, `ignore` changes nothing.
   */
  onBlockedPath: 'create' | 'refuse' | 'ignore';
  /** The new value of the field, whose value is undefined where it is missing. `path` is for messages. */
  apply(current: BsonValue | undefined, path: string, context: ApplyContext): Outcome;
}

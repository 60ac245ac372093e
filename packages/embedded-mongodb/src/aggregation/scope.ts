import type { BsonValue, Document } from '../bson/document.ts';

/** What an expression may refer to. In all expressions, `undefined` stands for a missing field. */
export interface Scope {
  /** `$$ROOT`, the document at which field paths start. */
  readonly root: Document;
  /** `$$NOW`: the same time throughout the command. */
  readonly now: Date;
}

/** A compiled expression. */
export type Evaluate = (scope: Scope) => BsonValue | undefined;

export function scopeOf(root: Document, now: Date): Scope {
  return { root, now };
}

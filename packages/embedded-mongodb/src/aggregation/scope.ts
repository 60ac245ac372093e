import type { BsonValue, Document } from '../bson/document.ts';

/** What an expression may refer to. In all expressions, `undefined` stands for a missing field. */
export interface Scope {
  /** `$$ROOT`, the document at which field paths start. */
  readonly root: Document;
  /** `$$NOW`: the same time throughout the command. */
  readonly now: Date;
  /** The elements that `$map` and `$filter` name with `as`. */
  readonly variables: ReadonlyMap<string, BsonValue>;
}

/** A compiled expression. */
export type Evaluate = (scope: Scope) => BsonValue | undefined;

const NO_VARIABLES: Scope['variables'] = new Map();

export function scopeOf(root: Document, now: Date): Scope {
  return { root, now, variables: NO_VARIABLES };
}

/** A copy of the scope with one more variable. */
export function withVariable({ root, now, variables }: Scope, name: string, value: BsonValue): Scope {
  return { root, now, variables: new Map(variables).set(name, value) };
}

import type { BsonValue, Document } from '../bson/document.ts';
import type { Collation } from '../semantics/collation.ts';

/** What an expression may refer to. `undefined` stands for a missing field throughout. */
export interface Scope {
  /** The document at hand: `$$ROOT`, and what field paths start at. */
  readonly root: Document;
  /** `$$NOW`: one time for the whole command. */
  readonly now: Date;
  /** The command's `let`, and what `$let`, `$map`, `$filter` and `$reduce` name. */
  readonly variables: ReadonlyMap<string, BsonValue | undefined>;
  /** How strings compare; undefined: by their bytes. */
  readonly collation?: Collation | undefined;
}

/** A compiled expression. */
export type Evaluate = (scope: Scope) => BsonValue | undefined;

/** The scope with one more variable. */
export function withVariable(scope: Scope, name: string, value: BsonValue | undefined): Scope {
  return { ...scope, variables: new Map(scope.variables).set(name, value) };
}

import type { Document } from '../bson/document.ts';
import type { Collation } from '../semantics/collation.ts';

export const ID_INDEX_NAME = '_id_';

/** One field of a key pattern. Hashed fields are kept in plain order: they serve equality all the same. */
export interface KeyField {
  path: string;
  /** The path at its dots, for following it through documents. */
  steps: readonly string[];
  direction: 1 | -1;
  hashed: boolean;
}

/** An index as declared, read from the validated specification that is stored and listed. */
export interface IndexDefinition {
  name: string;
  fields: readonly KeyField[];
  unique: boolean;
  sparse: boolean;
  partialFilter: Document | undefined;
  /** How its strings compare; undefined: by their bytes. */
  collation: Collation | undefined;
  expireAfterSeconds: number | undefined;
  /** As `listIndexes` gives it back: `{v, key, name, …options as written}`. */
  specification: Document;
}

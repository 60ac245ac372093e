import type { Document } from '../bson/document.ts';

export const ID_INDEX_NAME = '_id_';

/** One field of a key pattern. */
export interface KeyField {
  path: string;
  /** The path, split at its dots. */
  steps: readonly string[];
  direction: 1 | -1;
}

/** An index, read from its specification. */
export interface IndexDefinition {
  name: string;
  /** The key pattern. */
  key: Document;
  fields: readonly KeyField[];
  unique: boolean;
  partialFilter: Document | undefined;
  expireAfterSeconds: number | undefined;
  /** As stored and listed: `{v, key, name, …options}`. */
  specification: Document;
}

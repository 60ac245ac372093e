/** What a release needs of the database of a service. */
export interface DatabaseSchema {
  /** Rises by one with each release that changes an index or what is stored. */
  version: number;
  /** The lowest version of a release that can read everything that this one stores. */
  readableFrom: number;
  /** The indexes by collection. */
  indexes: Readonly<Record<string, readonly IndexDeclaration[]>>;
  /**
   * Names of indexes that only the previous release needs, by collection. This release does not create them, and leaves them where they
   * exist, because the previous release may run beside it. The next release drops them on request.
   */
  retired?: Readonly<Record<string, readonly string[]>>;
}

/** An index besides that of `_id`. Neither its key nor its options may change later: declare another one with another name. */
export interface IndexDeclaration {
  /** The direction of each field, in order. */
  key: Readonly<Record<string, 1 | -1>>;
  /** The queries that need it, for operators. */
  purpose: string;
  /** The default is the name that MongoDB derives from the key. */
  name?: string;
  unique?: true;
  /** The index contains only documents that match this filter. */
  partialFilterExpression?: Readonly<Record<string, unknown>>;
  /** MongoDB deletes a document this long after the time in the only field of the key. */
  expireAfterSeconds?: number;
}

export function indexName({ name, key }: IndexDeclaration): string {
  return (
    name ??
    Object.entries(key)
      .map((field) => field.join('_'))
      .join('_')
  );
}

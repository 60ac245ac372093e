import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';
import { matches } from '../filter/match.ts';
import { parseFilterDocument } from '../filter/parse.ts';

/** By identifier, which elements an array filter selects. */
export type ArrayFilters = ReadonlyMap<string, (element: BsonValue) => boolean>;

const IDENTIFIER = /^[a-z][a-zA-Z0-9]*$/;

/** Parses the `arrayFilters` of an update, each about one identifier: `{item: {$gt: 1}}`, `{'item.kind': 'a'}`. */
export function parseArrayFilters(filters: readonly BsonValue[], collation?: Collation): ArrayFilters {
  const parsed = new Map<string, (element: BsonValue) => boolean>();
  for (const filter of filters) {
    if (!isDocument(filter)) throw mongoError('TypeMismatch', 'each array filter must be an object');
    const identifier = identifierOf(filter);
    if (parsed.has(identifier)) {
      throw mongoError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
    }
    const node = parseFilterDocument(filter, { collation });
    parsed.set(identifier, (element) => matches(node, new Map([[identifier, element]])));
  }
  return parsed;
}

function identifierOf(filter: Document): string {
  const identifiers = [...new Set(topLevelNames(filter))];
  const [identifier] = identifiers;
  if (identifier === undefined) {
    throw mongoError(
      'FailedToParse',
      'Cannot use an expression without a top-level field name in arrayFilters',
    );
  }
  if (identifiers.length > 1) {
    throw mongoError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${identifiers[0]}' and '${identifiers[1]}'`,
    );
  }
  if (!IDENTIFIER.test(identifier)) {
    throw mongoError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
    );
  }
  return identifier;
}

function topLevelNames(filter: Document): string[] {
  return [...filter].flatMap(([name, value]) => {
    if (!name.startsWith('$')) return [name.split('.', 1)[0] as string];
    return Array.isArray(value) ? value.filter(isDocument).flatMap(topLevelNames) : [];
  });
}

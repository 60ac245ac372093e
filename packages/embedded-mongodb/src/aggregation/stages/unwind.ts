import { type BsonValue, type Document, isDocument, long } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { truthOf } from '../../semantics/truth.ts';
import { parseFieldPath } from '../field-path.ts';
import { isNullish } from '../operator.ts';
import type { ParseStage } from '../stage.ts';

interface Unwind {
  parts: readonly string[];
  indexPath: readonly string[] | undefined;
  keepsEmpty: boolean;
}

/** One document per element of an array. What is no array counts as its own only element. */
export const parseUnwind: ParseStage = (operand) => {
  const unwind = isDocument(operand)
    ? parseOptions(operand)
    : { parts: parsePath(operand), indexPath: undefined, keepsEmpty: false };
  return function* unwound(input) {
    for (const document of input) yield* elementsOf(document, unwind);
  };
};

function parseOptions(operand: Document): Unwind {
  for (const name of operand.keys()) {
    if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(name)) {
      throw mongoError(28811, `unrecognized option to $unwind stage: ${name}`);
    }
  }
  const index = operand.get('includeArrayIndex');
  if (index !== undefined && (typeof index !== 'string' || index === '' || index.startsWith('$'))) {
    throw mongoError(
      28810,
      'expected a non-empty string without a leading $ for the includeArrayIndex option to $unwind stage',
    );
  }
  const path = operand.get('path');
  if (path === undefined) throw mongoError(28812, 'no path specified to $unwind stage');
  const keepsEmpty = operand.get('preserveNullAndEmptyArrays') ?? false;
  if (typeof keepsEmpty !== 'boolean') {
    throw mongoError(28809, 'expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage');
  }
  return {
    parts: parsePath(path),
    indexPath: index === undefined ? undefined : parseFieldPath(index),
    keepsEmpty: truthOf(keepsEmpty),
  };
}

function parsePath(path: BsonValue): string[] {
  if (typeof path !== 'string') throw mongoError(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$'))
    throw mongoError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  return parseFieldPath(path.slice(1));
}

function* elementsOf(document: Document, { parts, indexPath, keepsEmpty }: Unwind): Generator<Document> {
  const value = fieldAt(document, parts);
  const withIndex = (made: Document, index: BsonValue) =>
    indexPath === undefined ? made : withField(made, indexPath, index);
  if (Array.isArray(value) && value.length > 0) {
    for (let index = 0; index < value.length; index++) {
      yield withIndex(withField(document, parts, value[index] as BsonValue), long(index));
    }
  } else if (!Array.isArray(value) && !isNullish(value)) {
    yield withIndex(document, null);
  } else if (keepsEmpty) {
    yield withIndex(Array.isArray(value) ? withField(document, parts, undefined) : document, null);
  }
}

/** Only through documents: an array on the way leads nowhere. */
function fieldAt(document: Document, parts: readonly string[]): BsonValue | undefined {
  let current: BsonValue | undefined = document;
  for (const part of parts) current = current instanceof Map ? current.get(part) : undefined;
  return current;
}

function withField(document: Document, parts: readonly string[], value: BsonValue | undefined): Document {
  const [name, ...rest] = parts as [string, ...string[]];
  const inner = document.get(name);
  const next = rest.length === 0 ? value : withField(inner instanceof Map ? inner : new Map(), rest, value);
  const result = new Map(document);
  if (next === undefined) result.delete(name);
  else result.set(name, next);
  return result;
}

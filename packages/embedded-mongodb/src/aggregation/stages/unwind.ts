import { type BsonValue, type Document, long } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { parseFieldPath } from '../field-path.ts';
import { isNullish, operandOr, operandsByName } from '../operator.ts';
import type { ParseStage } from '../stage.ts';

const unwindOptions = operandsByName(
  { notDocument: 15981, unknown: 28811 },
  ['path', 28812],
  ['includeArrayIndex'],
  ['preserveNullAndEmptyArrays'],
);

const STEPS_PER_ELEMENT = 5;

interface Unwind {
  parts: readonly string[];
  indexPath: readonly string[] | undefined;
  keepsEmpty: boolean;
}

/** Returns one document per element of an array. A value that is not an array counts as its only element. */
export const parseUnwind: ParseStage = (operand) => {
  const unwind = parseOptions(typeof operand === 'string' ? new Map([['path', operand]]) : operand);
  return function* unwound(input) {
    for (const document of input) yield* elementsOf(document, unwind);
  };
};

function parseOptions(operand: BsonValue): Unwind {
  const options = unwindOptions(operand, '$unwind');
  const keepsEmpty = operandOr(options, 'preserveNullAndEmptyArrays', false);
  if (typeof keepsEmpty !== 'boolean')
    throw mongoError(28809, '$unwind: preserveNullAndEmptyArrays must be a boolean');
  const index = options.get('includeArrayIndex');
  return {
    parts: parsePath(options.get('path') as BsonValue),
    indexPath: index === undefined ? undefined : parseIndexPath(index),
    keepsEmpty,
  };
}

function parseIndexPath(path: BsonValue): string[] {
  if (typeof path !== 'string' || path === '')
    throw mongoError(28810, '$unwind: includeArrayIndex must be a non-empty string');
  if (path.startsWith('$'))
    throw mongoError(28822, `$unwind: includeArrayIndex must not start with a '$': ${path}`);
  return parseFieldPath(path);
}

function parsePath(path: BsonValue): string[] {
  if (typeof path !== 'string') throw mongoError(28808, '$unwind: the path must be a string');
  if (path === '') throw mongoError(28812, '$unwind: no path specified');
  if (!path.startsWith('$')) throw mongoError(28818, `$unwind: the path must start with a '$': ${path}`);
  return parseFieldPath(path.slice(1));
}

function* elementsOf(document: Document, { parts, indexPath, keepsEmpty }: Unwind): Generator<Document> {
  const value = fieldAt(document, parts);
  const withIndex = (made: Document, index: BsonValue) =>
    indexPath === undefined ? made : withField(made, indexPath, index);
  if (Array.isArray(value) && value.length > 0) {
    for (let index = 0; index < value.length; index++) {
      spendSteps(STEPS_PER_ELEMENT + document.size);
      yield withIndex(withField(document, parts, value[index] as BsonValue), long(index));
    }
  } else if (!Array.isArray(value) && !isNullish(value)) {
    yield withIndex(document, null);
  } else if (keepsEmpty) {
    yield withIndex(Array.isArray(value) ? withField(document, parts, undefined) : document, null);
  }
}

/** The value at a path through documents; undefined if the path reaches an array. */
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

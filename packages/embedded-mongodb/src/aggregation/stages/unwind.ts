import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { parseFieldPath } from '../field-path.ts';
import { isNullish } from '../operator.ts';
import type { ParseStage } from '../stage.ts';

const STEPS_PER_ELEMENT = 5;

/** Returns one document per element of an array. A value that is not an array counts as its only element. */
export const parseUnwind: ParseStage = (operand) => {
  if (isDocument(operand)) throw outOfScope('$unwind with options');
  if (typeof operand !== 'string')
    throw mongoError(15981, '$unwind expects a string or an object as specification');
  if (operand === '') throw mongoError(28812, '$unwind: no path specified');
  if (!operand.startsWith('$'))
    throw mongoError(28818, `$unwind: the path must start with a '$': ${operand}`);
  const parts = parseFieldPath(operand.slice(1));
  return function* unwound(input) {
    for (const document of input) yield* elementsOf(document, parts);
  };
};

function* elementsOf(document: Document, parts: readonly string[]): Generator<Document> {
  const value = fieldAt(document, parts);
  if (Array.isArray(value)) {
    for (const element of value) {
      spendSteps(STEPS_PER_ELEMENT + document.size);
      yield withField(document, parts, element);
    }
  } else if (!isNullish(value)) yield document;
}

/** The value at a path through documents; undefined if the path reaches an array. */
function fieldAt(document: Document, parts: readonly string[]): BsonValue | undefined {
  let current: BsonValue | undefined = document;
  for (const part of parts) current = current instanceof Map ? current.get(part) : undefined;
  return current;
}

function withField(document: Document, [name, ...rest]: readonly string[], value: BsonValue): Document {
  const field = rest.length === 0 ? value : withField(document.get(name as string) as Document, rest, value);
  return new Map(document).set(name as string, field);
}

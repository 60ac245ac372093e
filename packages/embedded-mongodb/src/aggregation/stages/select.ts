import { type Document, documentOf, integer, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { matches, parseFilter } from '../../semantics/filter.ts';
import { parseSort, sortDocuments } from '../../semantics/sort.ts';
import { countOperand, type ParseStage } from '../stage.ts';

export const parseMatch: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(15959, 'the match filter must be an expression in an object');
  const filter = parseFilter(operand, context);
  return function* match(input) {
    for (const document of input) if (matches(filter, document)) yield document;
  };
};

export const parseSortStage: ParseStage = (operand, context) => {
  const sort = parseSort(operand, context.collation);
  if (sort.length === 0) throw mongoError(15976, '$sort stage must have at least one sort key');
  return function* sorted(input) {
    yield* sortDocuments(input, sort);
  };
};

export const parseLimit: ParseStage = (operand) => {
  const limit = countOperand('$limit', operand, 1, 2107201, 15958);
  return function* limited(input) {
    let left = limit;
    for (const document of input) {
      yield document;
      left -= 1;
      if (left === 0) return;
    }
  };
};

export const parseSkip: ParseStage = (operand) => {
  const skip = countOperand('$skip', operand, 0, 5107200, 5107200);
  return function* skipped(input) {
    let left = skip;
    for (const document of input) {
      if (left > 0) left -= 1;
      else yield document;
    }
  };
};

export const parseCount: ParseStage = (operand) => {
  if (typeof operand !== 'string' || operand === '')
    throw mongoError(40156, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) throw mongoError(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('\0')) throw mongoError(40159, 'the count field cannot contain a null byte');
  if (operand.includes('.')) throw mongoError(40160, "the count field cannot contain '.'");
  return function* count(input) {
    let n = 0;
    for (const _document of input) n += 1;
    // As MongoDB: no documents, no count.
    if (n > 0) yield documentOf({ [operand]: integer(n) });
  };
};

export const parseSample: ParseStage = (operand) => {
  const size = isDocument(operand) ? operand.get('size') : undefined;
  if (!isDocument(operand) || size === undefined)
    throw mongoError(28749, '$sample stage must specify a size');
  const count = countOperand('$sample', size, 1, 28746, 28747);
  return function* sample(input) {
    yield* reservoir(input, count);
  };
};

/** Each subset of `count` documents is as likely as any other (algorithm R). */
function reservoir(input: Iterable<Document>, count: number): Document[] {
  const chosen: Document[] = [];
  let seen = 0;
  for (const document of input) {
    seen += 1;
    const place = chosen.length < count ? chosen.length : Math.floor(Math.random() * seen);
    if (place < count) chosen[place] = document;
  }
  return chosen;
}

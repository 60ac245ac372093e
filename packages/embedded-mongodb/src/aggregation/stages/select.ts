import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { keepBytes } from '../../computation-limit.ts';
import { matches, parseFilter } from '../../semantics/filter.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { parseSort, sortDocuments } from '../../semantics/sort.ts';
import { memoryOf } from '../../semantics/value-memory.ts';
import { integerOf, numberOf, operandsByName } from '../operator.ts';
import type { ParseStage } from '../stage.ts';

export const parseMatch: ParseStage = (operand) => {
  if (!isDocument(operand)) throw mongoError(15959, 'the match filter must be an expression in an object');
  const filter = parseFilter(operand);
  return function* match(input) {
    for (const document of input) if (matches(filter, document)) yield document;
  };
};

export const parseSortStage: ParseStage = (operand) => {
  const sort = parseSort(operand);
  if (sort.length === 0) throw mongoError(15976, '$sort stage must have at least one sort key');
  return function* sorted(input) {
    yield* sortDocuments(input, sort);
  };
};

export const parseLimit: ParseStage = (operand) => {
  const limit = countOf(operand, '$limit', 5107201);
  if (limit === 0) throw mongoError(15958, 'the limit must be positive');
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
  const skip = countOf(operand, '$skip', 5107200);
  return function* skipped(input) {
    let left = skip;
    for (const document of input) {
      if (left > 0) left -= 1;
      else yield document;
    }
  };
};

function countOf(operand: BsonValue, stage: string, code: number): number {
  const count = integerOf(operand, stage, code);
  if (count < 0) throw mongoError(code, `invalid argument to ${stage} stage: Expected a non-negative number`);
  return count;
}

const sampleOptions = operandsByName({ notDocument: 28745, unknown: 28748 }, ['size', 28749]);

export const parseSample: ParseStage = (operand) => {
  const size = numberOf(sampleOptions(operand, '$sample').get('size'), '$sample', 28746);
  const count = Math.trunc(toNearestDouble(size));
  if (!(count > 0)) throw mongoError(28747, 'size argument to $sample must be a positive integer');
  return function* sample(input) {
    yield* reservoir(input, count);
  };
};

/** Selects `count` documents with algorithm R: all subsets of that size are equally likely. */
function reservoir(input: Iterable<Document>, count: number): Document[] {
  const chosen: Document[] = [];
  let seen = 0;
  for (const document of input) {
    seen += 1;
    const place = chosen.length < count ? chosen.length : Math.floor(Math.random() * seen);
    if (place >= count) continue;
    if (place === chosen.length) keepBytes(memoryOf(document));
    chosen[place] = document;
  }
  return chosen;
}

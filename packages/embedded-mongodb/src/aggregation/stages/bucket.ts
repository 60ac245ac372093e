import { type BsonValue, int32, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../../semantics/collation.ts';
import { compareValues, typeClassOf } from '../../semantics/compare.ts';
import { parseSort, sortDocuments } from '../../semantics/sort.ts';
import { counter } from '../accumulators.ts';
import { compileExpression } from '../expression.ts';
import { comparable } from '../operator.ts';
import { type ParseStage, scopeFor, variableNames } from '../stage.ts';
import { grouping, parseAccumulatedField } from './group.ts';

const OPTIONS = new Set(['groupBy', 'boundaries', 'default', 'output']);

export const parseBucket: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(40201, 'Argument to $bucket stage must be an object');
  for (const name of operand.keys()) {
    if (!OPTIONS.has(name)) throw mongoError(40197, `Unrecognized option to $bucket: ${name}.`);
  }
  const groupBy = operand.get('groupBy');
  if (groupBy === undefined || !operand.has('boundaries')) {
    throw mongoError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  }
  const scope = scopeFor(new Map(), context);
  const boundaries = parseBoundaries(operand.get('boundaries') as BsonValue).map(
    (boundary) => compileExpression(boundary)(scope) ?? null,
  );
  checkBoundaries(boundaries, context.collation);
  const fallback = operand.get('default');
  const variables = variableNames(context);
  const value = compileExpression(groupBy, variables);
  const output = operand.get('output');
  if (output !== undefined && !isDocument(output))
    throw mongoError(40196, "The $bucket 'output' field must be an object");
  const fields =
    output === undefined
      ? [{ name: 'count', make: counter, evaluate: () => undefined }]
      : [...output].map(([name, accumulator]) => parseAccumulatedField(name, accumulator, variables));
  const group = grouping(
    (at) => bucketOf(comparable(value(at)), boundaries, fallback, context.collation),
    fields,
    context,
  );
  const idUpwards = parseSort(new Map([['_id', int32(1)]]), context.collation);
  return (input) => sortDocuments(group(input), idUpwards);
};

function parseBoundaries(boundaries: BsonValue): BsonValue[] {
  if (!Array.isArray(boundaries)) throw mongoError(40200, "The $bucket 'boundaries' field must be an array");
  if (boundaries.length < 2)
    throw mongoError(40192, "The $bucket 'boundaries' field must have at least 2 values");
  return boundaries;
}

function checkBoundaries(boundaries: readonly BsonValue[], collation: Collation | undefined): void {
  for (let index = 1; index < boundaries.length; index++) {
    const [below, above] = [boundaries[index - 1], boundaries[index]] as [BsonValue, BsonValue];
    if (typeClassOf(below) !== typeClassOf(above)) {
      throw mongoError(40193, "All values in the the 'boundaries' option to $bucket must have the same type");
    }
    if (compareValues(below, above, collation) >= 0) {
      throw mongoError(40194, "The 'boundaries' option to $bucket must be sorted in ascending order");
    }
  }
}

function bucketOf(
  value: BsonValue,
  boundaries: readonly BsonValue[],
  fallback: BsonValue | undefined,
  collation: Collation | undefined,
): BsonValue {
  const above = boundaries.findIndex((boundary) => compareValues(value, boundary, collation) < 0);
  if (above > 0) return boundaries[above - 1] as BsonValue;
  if (fallback !== undefined) return fallback;
  throw mongoError(
    40066,
    '$switch could not find a matching branch for an input, and no default was specified.',
  );
}

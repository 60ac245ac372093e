import { type BsonValue, type Document, documentOf, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { compareValues } from '../../semantics/compare.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { counter } from '../accumulators.ts';
import { compileExpression } from '../expression.ts';
import type { Scope } from '../scope.ts';
import { type ParseStage, type PipelineContext, scopeFor, variableNames } from '../stage.ts';
import { type AccumulatedField, parseAccumulatedField } from './group.ts';

const OPTIONS = new Set(['groupBy', 'buckets', 'output', 'granularity']);
const MAX_BUCKETS = 2 ** 31 - 1;

interface Valued {
  value: BsonValue;
  scope: Scope;
}

/** Spreads the documents over buckets of about the same size, in the order of a value. */
export const parseBucketAuto: ParseStage = (operand, context) => {
  if (!isDocument(operand)) throw mongoError(40240, 'The argument to $bucketAuto must be an object');
  for (const name of operand.keys()) {
    if (!OPTIONS.has(name)) throw mongoError(40245, `Unrecognized option to $bucketAuto: ${name}.`);
  }
  const groupBy = operand.get('groupBy');
  const given = operand.get('buckets');
  if (groupBy === undefined || given === undefined)
    throw mongoError(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified.");
  if (operand.has('granularity')) throw notImplemented('$bucketAuto with a granularity');
  refuseConstant(groupBy);
  const count = parseCount(given);
  const fields = parseOutput(operand.get('output'), context);
  const evaluate = compileExpression(groupBy, variableNames(context));
  return function* buckets(input) {
    const valued = Array.from(input, (document): Valued => {
      const scope = scopeFor(document, context);
      return { value: evaluate(scope) ?? null, scope };
    });
    const { collation } = context;
    valued.sort((a, b) => compareValues(a.value, b.value, collation));
    yield* spread(valued, count, fields, context);
  };
};

function refuseConstant(groupBy: BsonValue): void {
  const isPath = typeof groupBy === 'string' && groupBy.startsWith('$');
  const isExpression = isDocument(groupBy) && groupBy.keys().next().value?.startsWith('$');
  if (isPath || isExpression) return;
  throw mongoError(
    40239,
    "The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression object",
  );
}

function parseCount(given: BsonValue): number {
  const count = isNumeric(given) ? toNearestDouble(given) : undefined;
  if (count === undefined) throw mongoError(40241, "The $bucketAuto 'buckets' field must be a numeric value");
  if (!Number.isInteger(count) || count > MAX_BUCKETS)
    throw mongoError(40242, "The $bucketAuto 'buckets' field must be representable as a 32-bit integer");
  if (count <= 0) throw mongoError(40243, "The $bucketAuto 'buckets' field must be greater than 0");
  return count;
}

function parseOutput(output: BsonValue | undefined, context: PipelineContext): AccumulatedField[] {
  if (output === undefined) return [{ name: 'count', make: counter, evaluate: () => undefined }];
  if (!isDocument(output)) throw mongoError(40244, "The $bucketAuto 'output' field must be an object");
  return [...output].map(([name, accumulator]) =>
    parseAccumulatedField(name, accumulator, variableNames(context)),
  );
}

/** Each bucket takes its share, then all that equal its last value; the last bucket takes what is left. */
function* spread(
  valued: readonly Valued[],
  count: number,
  fields: readonly AccumulatedField[],
  { collation }: PipelineContext,
): Generator<Document> {
  const share = Math.max(Math.round(valued.length / count), 1);
  let start = 0;
  for (let number = 1; start < valued.length; number++) {
    let end = number === count ? valued.length : Math.min(start + share, valued.length);
    const isEqualToLast = (at: number) =>
      compareValues((valued[at] as Valued).value, (valued[end - 1] as Valued).value, collation) === 0;
    while (end < valued.length && isEqualToLast(end)) end += 1;
    const accumulators = fields.map(({ make }) => make(collation));
    for (const { scope } of valued.slice(start, end)) {
      for (const [index, { evaluate }] of fields.entries()) accumulators[index]?.add(evaluate(scope));
    }
    const min = (valued[start] as Valued).value;
    // The boundary is where the next bucket begins; of the last one, its last value.
    const max = (valued[end] ?? (valued[end - 1] as Valued)).value;
    const bucket: Document = new Map([['_id', documentOf({ min, max })]]);
    for (const [index, { name }] of fields.entries()) bucket.set(name, accumulators[index]?.result() ?? null);
    yield bucket;
    start = end;
  }
}

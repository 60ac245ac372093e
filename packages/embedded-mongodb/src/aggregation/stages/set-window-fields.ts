import { type BsonValue, type Document, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { compareValues } from '../../semantics/compare.ts';
import { computeFields } from '../../semantics/projection/apply-tree.ts';
import { emptyBranch, insertLeaf } from '../../semantics/projection/tree.ts';
import { compareSortKeys, parseSort, type Sort, sortKey } from '../../semantics/sort.ts';
import { compileExpression, type Evaluate } from '../expression.ts';
import { parseFieldPath } from '../field-path.ts';
import { type ParseStage, type PipelineContext, scopeFor, variableNames } from '../stage.ts';
import type { Row } from '../window/partition.ts';
import { parseWindowFunction, type WindowFunction } from '../window/window-function.ts';

const OPTIONS = new Set(['partitionBy', 'sortBy', 'output']);

interface PartitionedRow extends Row {
  partition: BsonValue;
}

/** Adds fields that are computed over documents around each: of its partition, in order, within a window. */
export const parseSetWindowFields: ParseStage = (operand, context) => {
  if (!isDocument(operand)) {
    throw mongoError('FailedToParse', 'the $setWindowFields stage specification must be an object');
  }
  for (const name of operand.keys()) {
    if (!OPTIONS.has(name))
      throw mongoError(40415, `BSON field '$setWindowFields.${name}' is an unknown field.`);
  }
  const sort = parseSort(operand.get('sortBy') ?? new Map(), context.collation);
  const variables = variableNames(context);
  const partitionBy = compileExpression(operand.get('partitionBy') ?? null, variables);
  const output = operand.get('output');
  if (!isDocument(output))
    throw mongoError(40414, "BSON field '$setWindowFields.output' is missing but a required field");
  const fields = [...output].map(([path, given]) => ({
    path,
    compute: parseWindowFunction(path, given, variables, sort),
  }));
  const withFields = fieldSetter(fields);
  return function* windowed(input) {
    for (const rows of partitionsOf(input, partitionBy, sort, context)) yield* withFields(rows, sort);
  };
};

/** Sets the fields as `$addFields` does. */
function fieldSetter(
  fields: readonly { path: string; compute: WindowFunction }[],
): (rows: readonly Row[], sort: Sort) => Generator<Document> {
  const root = emptyBranch();
  let current: (BsonValue | undefined)[] = [];
  for (const [index, { path }] of fields.entries()) {
    insertLeaf(root, parseFieldPath(path), { kind: 'compute', evaluate: () => current[index] });
  }
  return function* setFields(rows, sort) {
    const columns = fields.map(({ compute }) => compute({ sort, rows }));
    for (const [place, { document, scope }] of rows.entries()) {
      current = columns.map((column) => column[place]);
      yield computeFields(root, document, scope);
    }
  };
}

/** The partitions in the order of what they are partitioned by, each in its own order. */
function* partitionsOf(
  input: Iterable<Document>,
  partitionBy: Evaluate,
  sort: Sort,
  context: PipelineContext,
): Generator<Row[]> {
  const { collation } = context;
  const rows = Array.from(input, (document): PartitionedRow => {
    const scope = scopeFor(document, context);
    const partition = partitionBy(scope) ?? null;
    if (Array.isArray(partition)) {
      throw mongoError(
        'TypeMismatch',
        'An expression used to partition cannot evaluate to value of type array',
      );
    }
    return { document, scope, sortKey: sortKey(document, sort), partition };
  });
  rows.sort(
    (a, b) =>
      compareValues(a.partition, b.partition, collation) || compareSortKeys(a.sortKey, b.sortKey, sort),
  );
  let start = 0;
  for (let at = 1; at <= rows.length; at++) {
    const [first, row] = [rows[start] as PartitionedRow, rows[at]];
    if (row !== undefined && compareValues(first.partition, row.partition, collation) === 0) continue;
    yield rows.slice(start, at);
    start = at;
  }
}

import { type BsonValue, isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collation } from '../semantics/collation.ts';
import { compareValues } from '../semantics/compare.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { compareSortKeys, parseSort, type Sort, sortKey } from '../semantics/sort.ts';
import type { Accumulator, MakeAccumulator } from './accumulators.ts';
import { compileExpression, type Evaluate, type VariableNames } from './expression.ts';
import { isNullish, namedOperands } from './operator.ts';

/** What a field of `$group` needs: the value of each document, and what takes these values. */
export interface CompiledAccumulator {
  evaluate: Evaluate;
  make: MakeAccumulator;
}

type Compile = (operand: BsonValue, name: string, variables: VariableNames) => CompiledAccumulator;

/** The accumulators whose operand is a document: the first, last, lowest or highest few, by themselves or by a sort. */
export const ACCUMULATORS_OF_SEVERAL: Readonly<Record<string, Compile>> = {
  $firstN: ofInput((n) => collecting((values) => values.slice(0, n))),
  $lastN: ofInput((n) => collecting((values) => values.slice(-n))),
  $minN: ofInput((n, collation) =>
    collecting((values) =>
      withoutNulls(values)
        .sort((a, b) => compareValues(a, b, collation))
        .slice(0, n),
    ),
  ),
  $maxN: ofInput((n, collation) =>
    collecting((values) =>
      withoutNulls(values)
        .sort((a, b) => compareValues(b, a, collation))
        .slice(0, n),
    ),
  ),
  $top: ofSorted((sorted) => sorted[0] ?? null),
  $bottom: ofSorted((sorted) => sorted.at(-1) ?? null),
  $topN: ofSorted((sorted, n) => sorted.slice(0, n)),
  $bottomN: ofSorted((sorted, n) => sorted.slice(-n)),
};

/** `{input: <expression>, n: <constant>}`. */
function ofInput(make: (n: number, collation: Collation | undefined) => Accumulator): Compile {
  return (operand, name, variables) => {
    const named = namedOperands(name, operand, ['input', 'n']);
    const n = countOf(named.get('n') as BsonValue);
    return {
      evaluate: compileExpression(named.get('input') as BsonValue, variables),
      make: (collation) => make(n, collation),
    };
  };
}

/** `{output: <expression>, sortBy: {…}}`, and `n` for those that give several. */
function ofSorted(result: (sorted: BsonValue[], n: number) => BsonValue): Compile {
  return (operand, name, variables) => {
    const isSeveral = name.endsWith('N');
    const named = namedOperands(name, operand, ['output', 'sortBy', ...(isSeveral ? ['n'] : [])]);
    const n = isSeveral ? countOf(named.get('n') as BsonValue) : 1;
    const sortBy = named.get('sortBy') as BsonValue;
    parseSort(sortBy);
    const output = compileExpression(named.get('output') as BsonValue, variables);
    return {
      // The sort key goes with the value, as the accumulator sees no documents.
      evaluate: (scope) => [output(scope) ?? null, sortKey(scope.root, parseSort(sortBy, scope.collation))],
      make: (collation) => {
        const sort = parseSort(sortBy, collation);
        return collecting((pairs) => result(outputsInOrder(pairs as [BsonValue, BsonValue[]][], sort), n));
      },
    };
  };
}

function outputsInOrder(pairs: [output: BsonValue, key: BsonValue[]][], sort: Sort): BsonValue[] {
  return pairs.toSorted((a, b) => compareSortKeys(a[1], b[1], sort)).map(([output]) => output);
}

function countOf(n: BsonValue): number {
  if (!isNumeric(n)) throw mongoError(5787902, "Value for 'n' must be a constant of integral type");
  const count = toNearestDouble(n);
  if (!Number.isSafeInteger(count)) throw mongoError(5787903, "Value for 'n' must be of integral type");
  if (count <= 0) throw mongoError(5787908, `'n' must be greater than 0, found ${count}`);
  return count;
}

function collecting(result: (values: BsonValue[]) => BsonValue): Accumulator {
  const values: BsonValue[] = [];
  return {
    add: (value) => {
      values.push(value ?? null);
    },
    result: () => result(values),
  };
}

function withoutNulls(values: readonly BsonValue[]): BsonValue[] {
  return values.filter((value) => !isNullish(value));
}

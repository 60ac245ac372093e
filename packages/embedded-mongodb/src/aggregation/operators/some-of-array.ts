import { type BsonValue, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../../semantics/collation.ts';
import { compareValues } from '../../semantics/compare.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { type CompileOperator, isNullish, namedOperands, type Operators } from '../operator.ts';

type Choose = (array: readonly BsonValue[], n: number, collation: Collation | undefined) => BsonValue[];

/** The first, last, lowest or highest few elements of an array: `{input: <array>, n: <number>}`. */
export const SOME_OF_ARRAY_OPERATORS: Operators = {
  $firstN: some((array, n) => array.slice(0, n)),
  $lastN: some((array, n) => array.slice(-n)),
  $minN: some((array, n, collation) => inOrder(array, 1, collation).slice(0, n)),
  $maxN: some((array, n, collation) => inOrder(array, -1, collation).slice(0, n)),
};

function inOrder(
  array: readonly BsonValue[],
  direction: 1 | -1,
  collation: Collation | undefined,
): BsonValue[] {
  return array
    .filter((value) => !isNullish(value))
    .sort((a, b) => direction * compareValues(a, b, collation));
}

function some(choose: Choose): CompileOperator {
  return (operand, recurse, name) => {
    const named = namedOperands(name, operand, ['input', 'n']);
    const input = recurse(named.get('input') as BsonValue);
    const count = recurse(named.get('n') as BsonValue);
    return (scope) => {
      const n = countOf(count(scope));
      const array = input(scope);
      if (!Array.isArray(array)) {
        const found = array === undefined ? 'missing' : typeName(array);
        throw mongoError(5788200, `Input must be an array, found ${found} in ${name}`);
      }
      return choose(array, n, scope.collation);
    };
  };
}

function countOf(value: BsonValue | undefined): number {
  const n = value !== undefined && isNumeric(value) ? toNearestDouble(value) : undefined;
  if (n === undefined) throw mongoError(5787902, "Value for 'n' must be of integral type");
  if (!Number.isSafeInteger(n)) throw mongoError(5787903, "Value for 'n' must be of integral type");
  if (n <= 0) throw mongoError(5787908, `'n' must be greater than 0, found ${n}`);
  return n;
}

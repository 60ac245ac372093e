import type { BsonValue } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { isNullish, type Operators, operandsByName, type Recurse, typeOf } from '../operator.ts';
import type { Evaluate } from '../scope.ts';

const operands = operandsByName(
  { notDocument: 5439007, unknown: 5439008 },
  ['date', 5439009],
  ['unit', 5439010],
  ['binSize'],
  ['timezone'],
  ['startOfWeek'],
);

const MS: Readonly<Record<string, number>> = { hour: 3_600_000, day: 86_400_000 };
const UNITS_OUT_OF_SCOPE = ['year', 'quarter', 'month', 'week', 'minute', 'second', 'millisecond'];

/** `{$dateTrunc: {date, unit}}`: the start of the UTC hour or day that contains the date. */
export const DATE_TRUNC_OPERATORS: Operators = { $dateTrunc: compileDateTrunc };

function compileDateTrunc(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = operands(operand, name);
  for (const option of ['binSize', 'timezone', 'startOfWeek'])
    if (named.has(option)) throw outOfScope(`the option ${option} of ${name}`);
  const date = recurse(named.get('date') as BsonValue);
  const unit = recurse(named.get('unit') as BsonValue);
  return (scope) => {
    const given = date(scope);
    const wanted = unit(scope);
    if (isNullish(given) || isNullish(wanted)) return null;
    if (!(given instanceof Date))
      throw mongoError(5439012, `${name} can't convert from BSON type ${typeOf(given)} to Date`);
    const length = lengthOf(wanted, name);
    return new Date(Math.floor(given.getTime() / length) * length);
  };
}

function lengthOf(unit: BsonValue, name: string): number {
  if (typeof unit !== 'string') throw mongoError(5439013, `${name} requires 'unit' to be a string`);
  const length = Object.hasOwn(MS, unit) ? MS[unit] : undefined;
  if (length !== undefined) return length;
  if (UNITS_OUT_OF_SCOPE.includes(unit)) throw outOfScope(`the unit ${unit} of ${name}`);
  throw mongoError('FailedToParse', `${name}: unknown time unit value: ${unit}`);
}

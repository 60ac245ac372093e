import { type BsonValue, Int32, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { type CompileOperator, isNullish, type Operators, operandOr, operandsByName } from '../operator.ts';
import { dateOf, inZone, zoneOf } from '../zoned-date.ts';
import { dayOfYear } from './calendar.ts';

const datePartOperands = operandsByName(
  { notDocument: 40535, unknown: 40535 },
  ['date', 40539],
  ['timezone'],
);

export const DATE_PART_OPERATORS: Operators = {
  $year: datePart((local) => local.getUTCFullYear()),
  $month: datePart((local) => local.getUTCMonth() + 1),
  $dayOfMonth: datePart((local) => local.getUTCDate()),
  $hour: datePart((local) => local.getUTCHours()),
  $minute: datePart((local) => local.getUTCMinutes()),
  $second: datePart((local) => local.getUTCSeconds()),
  $millisecond: datePart((local) => local.getUTCMilliseconds()),
  $dayOfWeek: datePart((local) => local.getUTCDay() + 1),
  $dayOfYear: datePart(dayOfYear),
};

function datePart(part: (local: Date) => number): CompileOperator {
  return (operand, recurse, name) => {
    const named = datePartOperands(dateOperands(operand, name), name);
    const date = recurse(named.get('date') as BsonValue);
    const timezone = recurse(operandOr(named, 'timezone', 'UTC'));
    return (scope) => {
      const value = date(scope);
      const zone = timezone(scope);
      if (isNullish(value) || isNullish(zone)) return null;
      return new Int32(part(inZone(dateOf(value, name), zoneOf(zone)).local));
    };
  };
}

/** The operand as `{date, timezone}`. A client can also send only the date, as an expression or in an array of one. */
function dateOperands(operand: BsonValue, name: string): BsonValue {
  if (isDocument(operand) && !operand.keys().next().value?.startsWith('$')) return operand;
  if (!Array.isArray(operand)) return new Map([['date', operand]]);
  const [date] = operand;
  if (date === undefined || operand.length > 1)
    throw mongoError(40536, `${name} accepts exactly one argument if given an array`);
  return new Map([['date', date]]);
}

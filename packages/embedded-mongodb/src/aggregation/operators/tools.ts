import { Decimal128, documentOf, double, isDocument, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { isNullish, type Operators, onArguments } from '../operator.ts';

/** The operators that Compass applies to the results of `$collStats` to show collection statistics and index sizes. */
export const TOOL_OPERATORS: Operators = {
  $objectToArray: onArguments(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isDocument(value))
      throw mongoError(40390, `$objectToArray requires a document input, found: ${typeName(value)}`);
    spendSteps(value.size);
    return [...value].map(([k, v]) => documentOf({ k, v }));
  }),
  $toDouble: onArguments(1, ([value]) => {
    if (isNullish(value)) return null;
    if (isNumeric(value) && !(value instanceof Decimal128)) return double(toNearestDouble(value));
    throw outOfScope(`$toDouble of a value of type '${typeName(value)}'`);
  }),
};

import {
  Decimal128,
  type Document,
  documentOf,
  double,
  isDocument,
  isNumeric,
  typeName,
} from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { argumentsOf, isNullish, type Operators, onArguments, typeOf, type Values } from '../operator.ts';

/** The operators on whole documents, and on values of any type. */
export const DOCUMENT_OPERATORS: Operators = {
  $mergeObjects: (operand, recurse) => {
    const compiled = argumentsOf(operand).map((argument) => recurse(argument));
    return (scope) => {
      const values = compiled.map((evaluate) => evaluate(scope));
      const [only] = values;
      return mergeObjects(values.length === 1 && Array.isArray(only) ? only : values);
    };
  },
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
  $type: onArguments(1, ([value]) => typeOf(value)),
};

function mergeObjects(values: Values): Document {
  const merged: Document = new Map();
  for (const value of values) {
    if (isNullish(value)) continue;
    if (!isDocument(value))
      throw mongoError(40400, `$mergeObjects requires object inputs, but input is a ${typeName(value)}`);
    spendSteps(value.size);
    for (const [name, field] of value) merged.set(name, field);
  }
  return merged;
}

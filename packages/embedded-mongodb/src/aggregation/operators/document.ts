import { type BsonValue, type Document, documentOf, isDocument, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { isNullish, namedOperands, type Operators, onArguments, type Recurse } from '../operator.ts';
import type { Evaluate } from '../scope.ts';

const ANY_NUMBER: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

export const DOCUMENT_OPERATORS: Operators = {
  $mergeObjects: onArguments(ANY_NUMBER, (values) => {
    const merged: Document = new Map();
    for (const value of values) {
      if (isNullish(value)) continue;
      if (!isDocument(value))
        throw mongoError(
          40400,
          `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`,
        );
      for (const [name, field] of value) merged.set(name, field);
    }
    return merged;
  }),
  $objectToArray: onArguments(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isDocument(value))
      throw mongoError(40390, `$objectToArray requires a document input, found: ${typeName(value)}`);
    return [...value].map(([k, v]) => documentOf({ k, v }));
  }),
  $arrayToObject: onArguments(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!Array.isArray(value))
      throw mongoError(40386, `$arrayToObject requires an array input, found: ${typeName(value)}`);
    return new Map(value.map(pairOf));
  }),
  $getField: compileGetField,
  $setField: (operand, recurse, name) =>
    compileSetField(namedOperands(name, operand, ['field', 'input', 'value']), recurse, name),
  $unsetField: (operand, recurse, name) =>
    compileSetField(namedOperands(name, operand, ['field', 'input']), recurse, name),
};

function pairOf(element: BsonValue): [string, BsonValue] {
  const pair = isDocument(element) && element.size === 2 ? [element.get('k'), element.get('v')] : element;
  if (!Array.isArray(pair) || pair.length !== 2) {
    throw mongoError(40392, '$arrayToObject requires an array of {k: …, v: …} objects or of [k, v] pairs');
  }
  const [name, value] = pair;
  if (typeof name !== 'string' || value === undefined) {
    throw mongoError(40394, '$arrayToObject requires an object with keys `k` and `v`, where `k` is a string');
  }
  return [name, value];
}

function compileGetField(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const isNamed = isDocument(operand) && operand.has('field');
  const field = isNamed
    ? (namedOperands(name, operand, ['field'], ['input']).get('field') as BsonValue)
    : operand;
  const fieldOf = fieldName(field, recurse, name);
  const input = recurse((isNamed ? operand.get('input') : undefined) ?? '$$CURRENT');
  return (scope) => {
    const document = input(scope);
    if (isNullish(document)) return document === undefined ? undefined : null;
    return isDocument(document) ? document.get(fieldOf(scope)) : undefined;
  };
}

function fieldName(
  field: BsonValue,
  recurse: Recurse,
  name: string,
): (scope: Parameters<Evaluate>[0]) => string {
  const evaluate = recurse(field);
  return (scope) => {
    const value = evaluate(scope);
    if (typeof value !== 'string')
      throw mongoError(3041704, `${name} requires 'field' to evaluate to type String`);
    return value;
  };
}

function compileSetField(named: ReadonlyMap<string, BsonValue>, recurse: Recurse, name: string): Evaluate {
  const fieldOf = fieldName(named.get('field') as BsonValue, recurse, name);
  const input = recurse(named.get('input') as BsonValue);
  const newValue = named.has('value') ? recurse(named.get('value') as BsonValue) : () => undefined;
  return (scope) => {
    const document = input(scope);
    if (isNullish(document)) return null;
    if (!isDocument(document))
      throw mongoError(4161105, `${name} requires 'input' to evaluate to type Object`);
    const result = new Map(document);
    const value = newValue(scope);
    if (value === undefined) result.delete(fieldOf(scope));
    else result.set(fieldOf(scope), value);
    return result;
  };
}

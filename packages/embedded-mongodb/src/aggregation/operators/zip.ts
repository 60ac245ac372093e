import { type BsonValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { isDocument } from '../../bson/value.ts';
import { isNullish, type Operators, type Recurse } from '../operator.ts';
import type { Evaluate } from '../scope.ts';

const OPTIONS = new Set(['inputs', 'useLongestLength', 'defaults']);

export const ZIP_OPERATORS: Operators = { $zip: compileZip };

/** Turns arrays into an array of their first elements, their second ones, …. */
function compileZip(operand: BsonValue, recurse: Recurse): Evaluate {
  if (!isDocument(operand))
    throw mongoError(34460, `$zip only supports an object as an argument, found ${typeName(operand)}`);
  for (const name of operand.keys()) {
    if (!OPTIONS.has(name)) throw mongoError(34464, `$zip found an unknown argument: ${name}`);
  }
  const inputs = operand.get('inputs');
  if (inputs === undefined || (Array.isArray(inputs) && inputs.length === 0))
    throw mongoError(34465, '$zip requires at least one input array');
  if (!Array.isArray(inputs))
    throw mongoError(34461, `inputs must be an array of expressions, found ${typeName(inputs)}`);
  const defaults = operand.get('defaults') ?? [];
  if (!Array.isArray(defaults))
    throw mongoError(34462, `defaults must be an array of expressions, found ${typeName(defaults)}`);
  const usesLongest = operand.get('useLongestLength') ?? false;
  if (typeof usesLongest !== 'boolean')
    throw mongoError(34463, `useLongestLength must be a bool, found ${typeName(usesLongest)}`);
  if (defaults.length > 0 && !usesLongest)
    throw mongoError(34466, 'cannot specify defaults unless useLongestLength is true');
  if (defaults.length > 0 && defaults.length !== inputs.length)
    throw mongoError(34467, 'defaults and inputs must have the same length');
  const arrays = inputs.map((input) => recurse(input));
  const fallbacks = defaults.map((fallback) => recurse(fallback));
  return (scope) => {
    const values = arrays.map((evaluate) => evaluate(scope));
    if (values.some(isNullish)) return null;
    const rows = values.map((value) => {
      if (Array.isArray(value)) return value;
      throw mongoError(34468, `$zip found a non-array expression in input: ${typeName(value as BsonValue)}`);
    });
    const lengths = rows.map(({ length }) => length);
    const length = usesLongest ? Math.max(...lengths) : Math.min(...lengths);
    const missing = rows.map((_, index) => fallbacks[index]?.(scope) ?? null);
    return Array.from({ length }, (_, place) =>
      rows.map((row, index) => row[place] ?? (place < row.length ? null : (missing[index] as BsonValue))),
    );
  };
}

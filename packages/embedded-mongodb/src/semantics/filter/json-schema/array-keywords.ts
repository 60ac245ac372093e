import type { BsonValue } from '../../../bson/document.ts';
import { mongoError } from '../../../bson/mongo-error.ts';
import { compareValues } from '../../compare.ts';
import { compileAdditional } from './document-keywords.ts';
import { anything, type Check, documentOperand, type Keyword, type Keywords, sizeCheck } from './keyword.ts';

const sizeOf = (value: BsonValue) => (Array.isArray(value) ? value.length : undefined);

export const ARRAY_KEYWORDS: Keywords = {
  items: compileItems,
  additionalItems: () => anything, // part of the check of `items`, without which it means nothing
  minItems: (keyword) => sizeCheck(keyword, sizeOf, (size, least) => size >= least),
  maxItems: (keyword) => sizeCheck(keyword, sizeOf, (size, most) => size <= most),
  uniqueItems: compileUniqueItems,
};

function compileItems({ operand, schema, keyword, compile }: Keyword): Check {
  if (!Array.isArray(operand)) {
    const check = compile(documentOperand(operand, keyword));
    return (value) => !Array.isArray(value) || value.every(check);
  }
  const checks = operand.map((item) => compile(item));
  const additional = compileAdditional(schema.get('additionalItems'), 'additionalItems', compile);
  return (value) =>
    !Array.isArray(value) || value.every((element, index) => (checks[index] ?? additional)(element));
}

function compileUniqueItems({ operand, keyword }: Keyword): Check {
  if (typeof operand !== 'boolean')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a boolean`);
  if (!operand) return anything;
  return (value) => {
    if (!Array.isArray(value)) return true;
    const sorted = value.toSorted(compareValues);
    return sorted.every(
      (element, index) => index === 0 || compareValues(element, sorted[index - 1] as BsonValue) !== 0,
    );
  };
}

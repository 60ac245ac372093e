import { type BsonValue, isNumeric } from '../../../bson/document.ts';
import { mongoError } from '../../../bson/mongo-error.ts';
import { compareNumbers, isMultipleOf, toNearestDouble } from '../../numbers.ts';
import { truthOf } from '../../truth.ts';
import { compileRegex } from '../regex.ts';
import { anything, type Check, type Keyword, type Keywords, sizeCheck } from './keyword.ts';

const lengthOf = (value: BsonValue) => (typeof value === 'string' ? [...value].length : undefined);

/** What is said of numbers and of text. */
export const SCALAR_KEYWORDS: Keywords = {
  minimum: compileMinimum,
  maximum: compileMaximum,
  exclusiveMinimum: (keyword) => companion(keyword, 'minimum'),
  exclusiveMaximum: (keyword) => companion(keyword, 'maximum'),
  multipleOf: compileMultipleOf,
  minLength: (keyword) => sizeCheck(keyword, lengthOf, (size, least) => size >= least),
  maxLength: (keyword) => sizeCheck(keyword, lengthOf, (size, most) => size <= most),
  pattern: compilePattern,
};

function compileMinimum({ operand, schema, keyword }: Keyword): Check {
  const isExclusive = truthOf(schema.get('exclusiveMinimum'));
  return bound(operand, keyword, (order) => (isExclusive ? order > 0 : order >= 0));
}

function compileMaximum({ operand, schema, keyword }: Keyword): Check {
  const isExclusive = truthOf(schema.get('exclusiveMaximum'));
  return bound(operand, keyword, (order) => (isExclusive ? order < 0 : order <= 0));
}

function bound(operand: BsonValue, keyword: string, holds: (order: number) => boolean): Check {
  if (!isNumeric(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a number`);
  return (value) => !isNumeric(value) || holds(compareNumbers(value, operand));
}

/** As in draft 4 a boolean that sharpens another keyword, without which it means nothing. */
function companion({ operand, schema, keyword }: Keyword, of: string): Check {
  if (typeof operand !== 'boolean')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a boolean`);
  if (!schema.has(of)) {
    throw mongoError(
      'FailedToParse',
      `$jsonSchema keyword '${of}' must be a present if ${keyword} is present`,
    );
  }
  return anything;
}

function compileMultipleOf({ operand, keyword }: Keyword): Check {
  if (!isNumeric(operand))
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a number`);
  if (!(toNearestDouble(operand) > 0)) {
    throw mongoError('FailedToParse', `$jsonSchema keyword '${keyword}' must have a positive value`);
  }
  return (value) => !isNumeric(value) || isMultipleOf(value, operand);
}

function compilePattern({ operand, keyword }: Keyword): Check {
  if (typeof operand !== 'string')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a string`);
  const regex = compileRegex(operand, '');
  return (value) => typeof value !== 'string' || regex.test(value);
}

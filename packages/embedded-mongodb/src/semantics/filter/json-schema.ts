import { type BsonValue, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { ARRAY_KEYWORDS } from './json-schema/array-keywords.ts';
import { DOCUMENT_KEYWORDS } from './json-schema/document-keywords.ts';
import { anything, type Check, type Keyword, type Keywords, negated } from './json-schema/keyword.ts';
import { SCALAR_KEYWORDS } from './json-schema/scalar-keywords.ts';
import { TYPE_KEYWORDS } from './json-schema/type-keywords.ts';

/*
 * $jsonSchema is draft 4 of JSON Schema with MongoDB's changes: `bsonType` beside `type`, values compared as
 * BSON, a reference or a default refused rather than ignored.
 * https://www.mongodb.com/docs/v7.0/reference/operator/query/jsonSchema/
 */

const KEYWORDS: Keywords = {
  ...TYPE_KEYWORDS,
  ...SCALAR_KEYWORDS,
  ...DOCUMENT_KEYWORDS,
  ...ARRAY_KEYWORDS,
  allOf: (keyword) => combination(keyword, (checks) => (value) => checks.every((check) => check(value))),
  anyOf: (keyword) => combination(keyword, (checks) => (value) => checks.some((check) => check(value))),
  oneOf: (keyword) =>
    combination(keyword, (checks) => (value) => checks.filter((check) => check(value)).length === 1),
  not: ({ operand, compile }) => negated(compile(operand)),
  title: annotation,
  description: annotation,
};

const UNSUPPORTED = new Set(['$ref', '$schema', 'default', 'definitions', 'format', 'id']);

/** Compiles a schema to the check of a document. Throws MongoDB's errors on keywords that it does not take. */
export function compileJsonSchema(schema: BsonValue): Check {
  if (!isDocument(schema)) throw mongoError('TypeMismatch', '$jsonSchema must be an object');
  if (schema.has('type') && schema.has('bsonType')) {
    throw mongoError('FailedToParse', "Cannot specify both $jsonSchema keywords 'bsonType' and 'type'");
  }
  const checks = [...schema].map(([keyword, operand]) => {
    const compile = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (compile !== undefined) return compile({ keyword, operand, schema, compile: compileJsonSchema });
    if (UNSUPPORTED.has(keyword)) {
      throw mongoError('FailedToParse', `$jsonSchema keyword '${keyword}' is not currently supported`);
    }
    throw mongoError('FailedToParse', `Unknown $jsonSchema keyword: ${keyword}`);
  });
  return (value) => checks.every((check) => check(value));
}

function annotation({ operand, keyword }: Keyword): Check {
  if (typeof operand !== 'string')
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be of type string`);
  return anything;
}

function combination({ operand, keyword, compile }: Keyword, combine: (checks: Check[]) => Check): Check {
  if (!Array.isArray(operand)) {
    throw mongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an array`);
  }
  if (operand.length === 0) {
    throw mongoError('BadValue', `$jsonSchema keyword '${keyword}' must be a non-empty array`);
  }
  return combine(operand.map(compile));
}

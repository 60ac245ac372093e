import type { BsonValue } from '../../../bson/document.ts';
import { BSON_TYPE, type BsonTypeName, typeNumber } from '../../../bson/document.ts';
import { mongoError } from '../../../bson/mongo-error.ts';
import { compareValues } from '../../compare.ts';
import type { Check, Keyword, Keywords } from './keyword.ts';

const JSON_TYPES: Readonly<Record<string, readonly BsonTypeName[]>> = {
  object: ['object'],
  array: ['array'],
  string: ['string'],
  boolean: ['bool'],
  null: ['null'],
  number: ['int', 'long', 'double', 'decimal'],
};
const NUMBER_TYPES = JSON_TYPES['number'] as readonly BsonTypeName[];

export const TYPE_KEYWORDS: Keywords = {
  bsonType: ({ operand }) => typeCheck(operand, bsonTypesNamed),
  type: ({ operand }) => typeCheck(operand, jsonTypesNamed),
  enum: compileEnum,
};

function typeCheck(operand: BsonValue, typesNamed: (name: string) => readonly BsonTypeName[]): Check {
  const names = Array.isArray(operand) ? operand : [operand];
  const types = new Set<number>();
  for (const name of names) {
    if (typeof name !== 'string') throw mongoError('TypeMismatch', '$jsonSchema types must be strings');
    for (const type of typesNamed(name)) types.add(BSON_TYPE[type]);
  }
  if (types.size === 0) throw mongoError('FailedToParse', '$jsonSchema types must not be empty');
  return (value) => types.has(typeNumber(value));
}

function bsonTypesNamed(name: string): readonly BsonTypeName[] {
  if (name === 'number') return NUMBER_TYPES;
  if (Object.hasOwn(BSON_TYPE, name)) return [name as BsonTypeName];
  throw mongoError('BadValue', `Unknown type name alias: ${name}`);
}

function jsonTypesNamed(name: string): readonly BsonTypeName[] {
  if (name === 'integer')
    throw mongoError('BadValue', "$jsonSchema type 'integer' is not currently supported.");
  const types = Object.hasOwn(JSON_TYPES, name) ? JSON_TYPES[name] : undefined;
  if (types === undefined) throw mongoError('BadValue', `Unknown type name alias: ${name}`);
  return types;
}

function compileEnum({ operand }: Keyword): Check {
  if (!Array.isArray(operand))
    throw mongoError('TypeMismatch', "$jsonSchema keyword 'enum' must be an array");
  if (operand.length === 0)
    throw mongoError('FailedToParse', "$jsonSchema keyword 'enum' cannot be an empty array");
  return (value) => operand.some((allowed) => compareValues(allowed, value) === 0);
}

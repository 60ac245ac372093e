import { Binary, type BsonValue, isLong, isNumeric, typeName } from '../bson/document.ts';
import { mongoError, outOfScope } from '../bson/mongo-error.ts';
import { toNearestDouble } from './numbers.ts';
import { isSimpleCollation } from './simple-collation.ts';

/*
 * The types of the fields of commands, as in the IDL files of MongoDB 7.0: src/mongo/db/basic_types.idl and the
 * files of the commands.
 */

/** The type of a field. */
export interface FieldType {
  /** @throws MongoDB's error for an invalid value */
  check(value: BsonValue, path: string): void;
  isRequired?: boolean;
}

/** The fields of a command, or of a document inside one, by name. */
export type Fields = Readonly<Record<string, FieldType>>;

export function typeOf(fields: Fields, name: string): FieldType | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * @param isGiven whether a field has a value; null counts as none
 * @throws 40414 for the first required field without a value
 */
export function checkRequired(fields: Fields, path: string, isGiven: (name: string) => boolean): void {
  for (const name in fields) {
    if (fields[name]?.isRequired && !isGiven(name)) {
      throw mongoError(40414, `BSON field '${path}.${name}' is missing but a required field`);
    }
  }
}

export function unknownField(path: string): Error {
  return mongoError(40415, `BSON field '${path}' is an unknown field.`);
}

function wrongType(path: string, value: BsonValue, expected: string): Error {
  return mongoError(
    'TypeMismatch',
    `BSON field '${path}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );
}

/** A type of the IDL. Null counts as absent. */
function typed(expected: string, accepts: (value: BsonValue) => boolean): FieldType {
  return {
    check(value, path) {
      if (value !== null && !accepts(value)) throw wrongType(path, value, expected);
    },
  };
}

export const any: FieldType = { check() {} };
export const object = typed('object', (value) => value instanceof Map);
export const array = typed('array', Array.isArray);
export const string = typed('string', (value) => typeof value === 'string');
export const boolean = typed('bool', (value) => typeof value === 'boolean');
/** A boolean or a number. */
export const safeBoolean = typed('bool', (value) => typeof value === 'boolean' || isNumeric(value));
export const number = typed('long', isNumeric);
export const long = typed('long', isLong);
const uuid = typed('binData', (value) => value instanceof Binary && value.sub_type === Binary.SUBTYPE_UUID);

export function atLeast(least: number): FieldType {
  return {
    check(value, path) {
      number.check(value, path);
      if (!isNumeric(value) || !(Math.trunc(toNearestDouble(value)) < least)) return;
      throw mongoError(
        51024,
        `BSON field '${path.slice(path.lastIndexOf('.') + 1)}' value must be >= ${least}, actual value '${value.toString()}'`,
      );
    },
  };
}

export const count = atLeast(0);

/** Rejects null, as the parsers of these types in MongoDB do: they treat it as a value. */
export function notNull(type: FieldType): FieldType {
  return {
    check(value, path) {
      if (value === null) throw wrongType(path, value, 'a value');
      type.check(value, path);
    },
  };
}

/** The `optionalBool` of the IDL. */
export const strictBoolean = notNull(boolean);
export const strictObject = notNull(object);

export function required(type: FieldType): FieldType {
  return { ...type, isRequired: true };
}

export function arrayOf(type: FieldType): FieldType {
  const element = notNull(type);
  return {
    check(value, path) {
      array.check(value, path);
      if (!Array.isArray(value)) return;
      for (const [at, one] of value.entries()) element.check(one, `${path}.${at}`);
    },
  };
}

/** A document with these fields. */
export function struct(fields: Fields): FieldType {
  return {
    check(value, path) {
      object.check(value, path);
      if (!(value instanceof Map)) return;
      for (const [name, field] of value) {
        const type = typeOf(fields, name);
        if (type === undefined) throw unknownField(`${path}.${name}`);
        type.check(field, `${path}.${name}`);
      }
      checkRequired(fields, path, (name) => (value.get(name) ?? null) !== null);
    },
  };
}

/** The `cursor` field of commands that return a cursor. */
export const cursorOptions = struct({ batchSize: count });

/** The `lsid` field, a session of the client. */
export const sessionId = struct({ id: required(uuid), uid: any, txnNumber: any, txnUUID: any });

export const hint: FieldType = {
  check(value) {
    if (typeof value === 'string' || value instanceof Map) return;
    throw mongoError('FailedToParse', 'Hint must be a string or an object');
  },
};

/** The update of an `update` or `findAndModify` command. */
export const modification: FieldType = {
  check(value) {
    if (value instanceof Map || Array.isArray(value)) return;
    throw mongoError('FailedToParse', 'Update argument must be either an object or an array');
  },
};

/** An option that is out of scope unless it has its default value. */
function unless(type: FieldType, isDefault: (value: BsonValue) => boolean): FieldType {
  return {
    check(value, path) {
      type.check(value, path);
      if (value !== null && !isDefault(value)) throw outOfScope(`the option '${path}'`);
    },
  };
}

const isEmpty = (value: BsonValue) =>
  value instanceof Map ? value.size === 0 : (value as BsonValue[]).length === 0;

/** The options that are out of scope wherever they appear. */
export const collation = unless(object, isSimpleCollation);
export const mustBeEmpty = unless(object, isEmpty);
export const arrayFilters = unless(array, isEmpty);
export const mustBeFalse = unless(strictBoolean, (value) => value === false);
export const mustBeAbsent = unless(any, () => false);

import type { BsonValue, Document } from '../bson/document.ts';
import { documentOf } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { type Collation, parseCollation } from '../semantics/collation.ts';
import { type FilterNode, matches, parseFilter } from '../semantics/filter.ts';
import { explainMismatch } from '../semantics/validation/explain-filter.ts';
import type { Collection } from '../storage/collection.ts';

export const VALIDATION_LEVELS = ['off', 'strict', 'moderate'];
export const VALIDATION_ACTIONS = ['error', 'warn'];

/** Code 121, with the `errInfo` that tells which rules the document breaks. */
export class DocumentValidationError extends MongoError {
  readonly errInfo: Document;

  constructor(document: Document, details: Document) {
    super(121, 'DocumentValidationFailure', 'Document failed validation');
    this.errInfo = documentOf({ failingDocumentId: document.get('_id') ?? null, details });
  }
}

interface Validation {
  validator: Document;
  filter: FilterNode;
  collation: Collation | undefined;
  /** Whether a document that broke the rules before may go on doing so. */
  isModerate: boolean;
}

/** By the options of a collection, which are made anew when they change. */
const known = new WeakMap<Document, Validation | 'none'>();

/**
 * Holds a document against the `validator` of its collection.
 * @param before what an update changes; undefined: the document is new
 */
export function assertValid(collection: Collection, document: Document, before?: Document): void {
  const validation = validationOf(collection.options);
  if (validation === 'none') return;
  const { validator, filter, collation, isModerate } = validation;
  if (matches(filter, document)) return;
  if (isModerate && before !== undefined && !matches(filter, before)) return;
  throw new DocumentValidationError(document, explainMismatch(validator, document, collation));
}

function validationOf(options: Document): Validation | 'none' {
  let validation = known.get(options);
  if (validation === undefined) {
    validation = readValidation(options);
    known.set(options, validation);
  }
  return validation;
}

function readValidation(options: Document): Validation | 'none' {
  const validator = options.get('validator');
  const level = options.get('validationLevel') ?? 'strict';
  // `warn` writes a line into mongod's log, and the document all the same.
  if (!(validator instanceof Map) || level === 'off' || options.get('validationAction') === 'warn')
    return 'none';
  const collation = parseCollation(options.get('collation'));
  return {
    validator,
    filter: parseFilter(validator, { collation }),
    collation,
    isModerate: level === 'moderate',
  };
}

/** The three options of `create` and `collMod`; refused where they make no sense. */
export function readValidationOptions(body: Document, databaseName: string): Document {
  const read: Document = new Map();
  const validator = body.get('validator');
  if (validator instanceof Map) read.set('validator', validator);
  else if (validator !== undefined) throw wrongType('validator', 'object');
  if (validator instanceof Map && validator.size > 0) {
    if (['admin', 'local', 'config'].includes(databaseName)) {
      throw mongoError(
        'InvalidOptions',
        `Document validators are not allowed on collections in the ${databaseName} database`,
      );
    }
    assertMayValidate(validator);
    parseFilter(validator);
  }
  readChoice(read, body, 'validationLevel', VALIDATION_LEVELS);
  readChoice(read, body, 'validationAction', VALIDATION_ACTIONS);
  return read;
}

function readChoice(read: Document, body: Document, option: string, choices: readonly string[]): void {
  const value = body.get(option);
  if (value === undefined) return;
  if (typeof value !== 'string') throw wrongType(option, 'string');
  if (!choices.includes(value)) {
    throw mongoError('BadValue', `Enumeration value '${value}' for field '${option}' is not a valid value.`);
  }
  read.set(option, value);
}

const NOT_IN_VALIDATORS = ['$text', '$where', '$near', '$nearSphere', '$geoNear'];

function assertMayValidate(value: BsonValue): void {
  if (Array.isArray(value)) for (const inner of value) assertMayValidate(inner);
  if (!(value instanceof Map)) return;
  for (const [name, inner] of value) {
    if (NOT_IN_VALIDATORS.includes(name)) {
      throw mongoError('QueryFeatureNotAllowed', `${name} is not allowed in this context`);
    }
    if (name !== '$expr' && name !== '$jsonSchema') assertMayValidate(inner);
  }
}

function wrongType(option: string, expected: string): MongoError {
  return mongoError('TypeMismatch', `BSON field '${option}' is the wrong type, expected type '${expected}'`);
}

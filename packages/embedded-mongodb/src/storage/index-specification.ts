import { type BsonValue, type Document, int32, isNumeric } from '../bson/document.ts';
import { type MongoError, mongoError, outOfScope } from '../bson/mongo-error.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { isSimpleCollation } from '../semantics/simple-collation.ts';
import { ID_INDEX_NAME, type IndexDefinition, type KeyField } from './index-definition.ts';

/** Options of any index, including `background`, which drivers send and MongoDB ignores. */
const OPTIONS_OF_ALL = ['v', 'key', 'name', 'background'];
const OPTIONS_STORED = ['unique', 'partialFilterExpression', 'expireAfterSeconds'];
const OPTIONS_OUT_OF_SCOPE =
  `2dsphereIndexVersion bits bucketSize clustered collation columnstoreProjection default_language dropDups
  hidden language_override max min ns prepareUnique sparse storageEngine textIndexVersion weights
  wildcardProjection`.split(/\s+/);
const TYPES_OUT_OF_SCOPE = ['hashed', 'text', '2d', '2dsphere', 'geoHaystack', 'columnstore'];
const MAX_INDEX_FIELDS = 32;
const MAX_EXPIRE_SECONDS = 2 ** 31 - 1;
const FIELDS_OF_REFERENCES = ['$id', '$db', '$ref'];

/**
 * Reads an index specification of `createIndexes`.
 * @throws MongoDB's errors for an invalid specification, NotImplemented for one out of scope
 */
export function readIndexSpecification(given: Document): IndexDefinition {
  const key = readKey(given.get('key'));
  const name = readName(given.get('name'));
  const fields = [...key].map(([path, value]) => readKeyField(path, value));
  assertVersion(given.get('v'));
  const isId = fields.length === 1 && fields[0]?.path === '_id' && fields[0].direction === 1;
  for (const [option, value] of given) assertOption(option, value, isId);
  const options = [...given].filter(([option]) => OPTIONS_STORED.includes(option));
  return {
    name,
    key,
    fields,
    // The _id index is unique without the option.
    unique: name === ID_INDEX_NAME || readUnique(given.get('unique')),
    partialFilter: readPartialFilter(given.get('partialFilterExpression')),
    expireAfterSeconds: readExpiry(given.get('expireAfterSeconds'), fields),
    specification: new Map<string, BsonValue>([['v', int32(2)], ['key', key], ['name', name], ...options]),
  };
}

function cannotCreate(message: string): MongoError {
  return mongoError('CannotCreateIndex', message);
}

function missing(field: string): MongoError {
  return mongoError('FailedToParse', `The '${field}' field is a required property of an index specification`);
}

function readKey(key: BsonValue | undefined): Document {
  if (!(key instanceof Map)) throw missing('key');
  if (key.size === 0) throw cannotCreate('Index keys cannot be empty.');
  if (key.size <= MAX_INDEX_FIELDS) return key;
  throw mongoError(13103, `too many compound keys, ${key.size} where ${MAX_INDEX_FIELDS} are allowed`);
}

function readName(name: BsonValue | undefined): string {
  if (typeof name !== 'string') throw missing('name');
  if (name !== '') return name;
  throw cannotCreate("The 'name' field of an index specification cannot be an empty string");
}

function assertVersion(v: BsonValue | undefined): void {
  const version = isNumeric(v) ? toNearestDouble(v) : v;
  if (version === undefined || version === 1 || version === 2) return;
  throw cannotCreate(`Invalid index specification; cannot create an index with v=${String(v)}`);
}

function assertOption(option: string, value: BsonValue, isId: boolean): void {
  if (OPTIONS_OUT_OF_SCOPE.includes(option)) {
    if (value === false || (option === 'collation' && isSimpleCollation(value))) return;
    throw outOfScope(`the index option '${option}'`);
  }
  if (OPTIONS_OF_ALL.includes(option) || (!isId && OPTIONS_STORED.includes(option))) return;
  throw mongoError(
    'InvalidIndexSpecificationOption',
    `The field '${option}' is not valid for an ${isId ? '_id ' : ''}index specification.`,
  );
}

function readKeyField(path: string, value: BsonValue): KeyField {
  const steps = path.split('.');
  if (steps.includes('')) throw cannotCreate(`Index keys cannot contain an empty field: '${path}'`);
  if (steps.includes('$**')) throw outOfScope('a wildcard index');
  if (steps.some((step) => step.startsWith('$') && !FIELDS_OF_REFERENCES.includes(step))) {
    throw cannotCreate(`Index key contains an illegal field name: field name starts with '$': '${path}'`);
  }
  if (typeof value === 'string') {
    if (TYPES_OUT_OF_SCOPE.includes(value)) throw outOfScope(`an index of type '${value}'`);
    throw cannotCreate(`Unknown index plugin '${value}'`);
  }
  const direction = isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (Number.isNaN(direction) || direction === 0) {
    throw cannotCreate(
      `Values in v:2 index key pattern cannot be 0 or of another type than number or string. '${path}' is neither.`,
    );
  }
  return { path, steps, direction: direction < 0 ? -1 : 1 };
}

function readUnique(value: BsonValue = false): boolean {
  if (typeof value === 'boolean') return value;
  if (isNumeric(value)) return toNearestDouble(value) !== 0;
  throw mongoError(
    'TypeMismatch',
    `The field 'unique' has value ${String(value)}, which is not convertible to bool`,
  );
}

function readPartialFilter(value: BsonValue | undefined): Document | undefined {
  if (value === undefined || value instanceof Map) return value;
  throw mongoError('TypeMismatch', "The field 'partialFilterExpression' must be an object");
}

function readExpiry(value: BsonValue | undefined, fields: readonly KeyField[]): number | undefined {
  if (value === undefined) return undefined;
  const seconds = isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (!(seconds >= 0 && seconds <= MAX_EXPIRE_SECONDS)) {
    throw cannotCreate(`TTL index 'expireAfterSeconds' option must be within 0 to ${MAX_EXPIRE_SECONDS}`);
  }
  if (fields.length > 1) {
    throw cannotCreate('TTL indexes are single-field indexes, compound indexes do not support TTL');
  }
  if (fields[0]?.path !== '_id') return seconds;
  throw mongoError(
    'InvalidIndexSpecificationOption',
    "The field 'expireAfterSeconds' is not valid for an _id index specification",
  );
}

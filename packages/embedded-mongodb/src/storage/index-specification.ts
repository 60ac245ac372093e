import { type BsonValue, type Document, int32, isNumeric } from '../bson/document.ts';
import { mongoError, notImplemented } from '../bson/mongo-error.ts';
import { parseCollation } from '../semantics/collation.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { ID_INDEX_NAME, type IndexDefinition, type KeyField } from './index-definition.ts';

/** Options that change what an index means; a few more are accepted because they do not. */
const OPTIONS_KEPT = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'hidden',
  'prepareUnique',
  'collation',
]);
const OPTIONS_WITHOUT_EFFECT = new Set(['background', 'ns', 'dropDups', 'storageEngine', 'clustered']);
const OPTIONS_NOT_SERVED = new Set([
  'wildcardProjection',
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  '2dsphereIndexVersion',
  'bits',
  'min',
  'max',
  'bucketSize',
]);
const MAX_INDEX_FIELDS = 32;
const MAX_EXPIRE_SECONDS = 2 ** 31 - 1;
const TYPES_NOT_SERVED = new Set(['text', '2d', '2dsphere', 'geoHaystack', 'columnstore']);

/**
 * Reads an index specification as `createIndexes` takes it.
 * @throws MongoDB's errors for what is wrong, NotImplemented for what this server does not serve.
 */
export function readIndexSpecification(given: Document): IndexDefinition {
  const key = given.get('key');
  if (key instanceof Map && key.size === 0)
    throw mongoError('CannotCreateIndex', 'Index keys cannot be empty.');
  if (!(key instanceof Map)) {
    throw mongoError('FailedToParse', "The 'key' field is a required property of an index specification");
  }
  const fields = [...key].map(([path, value]) => readKeyField(path, value));
  if (fields.length > MAX_INDEX_FIELDS) {
    throw mongoError(13103, `too many compound keys, ${fields.length} where ${MAX_INDEX_FIELDS} are allowed`);
  }
  const name = given.get('name');
  if (name === '') {
    throw mongoError(
      'CannotCreateIndex',
      "The 'name' field of an index specification cannot be an empty string",
    );
  }
  if (typeof name !== 'string') {
    throw mongoError('FailedToParse', "The 'name' field is a required property of an index specification");
  }
  const specification: Document = new Map<string, BsonValue>([
    ['v', int32(2)],
    ['key', key],
    ['name', name],
  ]);
  assertVersion(given.get('v'));
  const isId = key.size === 1 && fields[0]?.path === '_id' && fields[0].direction === 1 && !fields[0].hashed;
  for (const [option, value] of given) {
    assertOptionIsServed(option);
    if (isId && !ID_INDEX_OPTIONS.has(option)) {
      throw mongoError(
        'InvalidIndexSpecificationOption',
        `The field '${option}' is not valid for an _id index specification.`,
      );
    }
    if (OPTIONS_KEPT.has(option) && !specification.has(option)) specification.set(option, value);
  }
  const collation = parseCollation(specification.get('collation'));
  if (collation === undefined) specification.delete('collation');
  else specification.set('collation', collation.specification);
  const definition: IndexDefinition = {
    name,
    fields,
    // The _id index is unique without saying so.
    unique: name === ID_INDEX_NAME || readFlag(specification, 'unique'),
    sparse: readFlag(specification, 'sparse'),
    partialFilter: readPartialFilter(specification),
    collation,
    expireAfterSeconds: readExpiry(specification, fields),
    specification,
  };
  if (definition.sparse && definition.partialFilter !== undefined) {
    throw mongoError('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
  }
  const hashedCount = fields.filter(({ hashed }) => hashed).length;
  if (hashedCount > 1) {
    throw mongoError(
      31303,
      `A maximum of one index field is allowed to be hashed but found ${hashedCount} for 'key'`,
    );
  }
  if (definition.unique && hashedCount > 0) {
    throw mongoError(16764, 'Currently hashed indexes cannot guarantee uniqueness. Use a regular index.');
  }
  return definition;
}

/** All that can be said of the `_id` index; drivers send `background` with any index. */
const ID_INDEX_OPTIONS = new Set(['v', 'key', 'name', 'ns', 'collation', 'background']);

function assertVersion(v: BsonValue | undefined): void {
  if (v === undefined) return;
  const version = isNumeric(v) ? toNearestDouble(v) : undefined;
  if (version === 1 || version === 2) return;
  throw mongoError(
    'CannotCreateIndex',
    `Invalid index specification; cannot create an index with v=${String(v)}`,
  );
}

function assertOptionIsServed(option: string): void {
  if (OPTIONS_KEPT.has(option) || OPTIONS_WITHOUT_EFFECT.has(option)) return;
  if (OPTIONS_NOT_SERVED.has(option)) throw notImplemented(`the index option '${option}'`);
  throw mongoError(
    'InvalidIndexSpecificationOption',
    `The field '${option}' is not valid for an index specification.`,
  );
}

function readKeyField(path: string, value: BsonValue): KeyField {
  if (path === '') throw mongoError('CannotCreateIndex', 'Index keys cannot be an empty field');
  const steps = path.split('.');
  if (steps.includes('')) {
    throw mongoError('CannotCreateIndex', `Index keys cannot contain an empty field: '${path}'`);
  }
  if (steps.includes('$**')) throw notImplemented('a wildcard index');
  if (steps.some((step) => step.startsWith('$') && !['$id', '$db', '$ref'].includes(step))) {
    throw mongoError(
      'CannotCreateIndex',
      `Index key contains an illegal field name: field name starts with '$': '${path}'`,
    );
  }
  if (typeof value === 'string') {
    if (value === 'hashed') return { path, steps, direction: 1, hashed: true };
    if (TYPES_NOT_SERVED.has(value)) throw notImplemented(`an index of type '${value}'`);
    throw mongoError('CannotCreateIndex', `Unknown index plugin '${value}'`);
  }
  const direction = isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (Number.isNaN(direction) || direction === 0) {
    throw mongoError(
      'CannotCreateIndex',
      `Values in v:2 index key pattern cannot be 0 or of another type than number or string. '${path}' is neither.`,
    );
  }
  return { path, steps, direction: direction < 0 ? -1 : 1, hashed: false };
}

function readFlag(specification: Document, option: string): boolean {
  const value = specification.get(option);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (isNumeric(value)) return toNearestDouble(value) !== 0;
  throw mongoError(
    'TypeMismatch',
    `The field '${option}' has value ${String(value)}, which is not convertible to bool`,
  );
}

function readPartialFilter(specification: Document): Document | undefined {
  const value = specification.get('partialFilterExpression');
  if (value === undefined || value instanceof Map) return value;
  throw mongoError('TypeMismatch', "The field 'partialFilterExpression' must be an object");
}

function readExpiry(specification: Document, fields: readonly KeyField[]): number | undefined {
  const value = specification.get('expireAfterSeconds');
  if (value === undefined) return undefined;
  const seconds = isNumeric(value) ? toNearestDouble(value) : undefined;
  if (seconds === undefined || seconds < 0 || seconds > MAX_EXPIRE_SECONDS) {
    throw mongoError(
      'CannotCreateIndex',
      `TTL index 'expireAfterSeconds' option must be within 0 to ${MAX_EXPIRE_SECONDS}`,
    );
  }
  if (fields.length > 1) {
    throw mongoError(
      'CannotCreateIndex',
      'TTL indexes are single-field indexes, compound indexes do not support TTL',
    );
  }
  if (fields[0]?.path === '_id') {
    throw mongoError(
      'InvalidIndexSpecificationOption',
      "The field 'expireAfterSeconds' is not valid for an _id index specification",
    );
  }
  return seconds;
}

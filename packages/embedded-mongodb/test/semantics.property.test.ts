import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePipeline, runPipeline } from '../src/aggregation/pipeline.ts';
import {
  BSONRegExp,
  BsonUndefined,
  type BsonValue,
  type Document,
  decode,
  documentOf,
  encode,
  int32,
} from '../src/bson/document.ts';
import { MongoError } from '../src/bson/mongo-error.ts';
import { compareValues, equalValues, typeClassOf } from '../src/semantics/compare.ts';
import { matches, parseFilter } from '../src/semantics/filter.ts';
import { identicalValues } from '../src/semantics/identical.ts';
import { isNaNValue } from '../src/semantics/numbers.ts';
import { applyUpdate, parseUpdate } from '../src/semantics/update.ts';
import { documentForUpsert } from '../src/semantics/upsert.ts';
import { arbitraryDocument, arbitraryNumber, arbitraryValue } from './arbitrary-values.ts';

const NOW = new Date(0);

/** What the function gives; undefined where it refuses with an error of MongoDB's. Any other error fails the test. */
function orRefusal<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof MongoError) return undefined;
    throw error;
  }
}

const name = fc.constantFrom('a', 'b', 'a.b', 'a.0', 'a.1.b', 'b.a.a', '_id');
const document = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '_id'), arbitraryValue), { maxLength: 3 })
    .map((fields): Document => new Map(fields)),
  fc
    .array(fc.oneof(arbitraryDocument, arbitraryNumber), { maxLength: 3 })
    .map((array): Document => new Map([['a', array as BsonValue]])),
);

function operand(operators: readonly string[]): fc.Arbitrary<Document> {
  const operator = fc.tuple(
    fc.constantFrom(...operators),
    fc.oneof(arbitraryValue, fc.array(arbitraryValue, { maxLength: 3 })),
  );
  return fc
    .array(operator, { minLength: 1, maxLength: 2 })
    .map((fields) => new Map<string, BsonValue>(fields));
}

const FIELD_OPERATORS = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$type',
  '$size',
  '$all',
  '$mod',
  '$regex',
  '$not',
  '$elemMatch',
  '$bitsAllSet',
  '$bitsAnyClear',
];
const MODIFIERS = [
  '$set',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$push',
  '$addToSet',
  '$pop',
  '$pull',
  '$pullAll',
  '$bit',
  '$rename',
  '$setOnInsert',
  '$currentDate',
];
const condition = fc.oneof(arbitraryValue, operand(FIELD_OPERATORS));
const filter = fc
  .array(fc.tuple(name, condition), { maxLength: 3 })
  .map((fields) => new Map<string, BsonValue>(fields));
const update = fc
  .array(
    fc.tuple(
      fc.constantFrom(...MODIFIERS),
      fc.array(fc.tuple(name, condition), { minLength: 1, maxLength: 2 }),
    ),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  .map(
    (modifiers) =>
      new Map<string, BsonValue>(modifiers.map(([modifier, fields]) => [modifier, new Map(fields)])),
  );

describe('whatever a client sends', () => {
  it('a filter either answers or is refused with a code', () => {
    fc.assert(
      fc.property(filter, document, (spec, target) => {
        const node = orRefusal(() => parseFilter(spec));
        if (node !== undefined) expect(typeof matches(node, target, { index: undefined })).toBe('boolean');
      }),
      { numRuns: 3000 },
    );
  });

  it('an update either makes a document that can be stored or is refused, and leaves the one before alone', () => {
    fc.assert(
      fc.property(update, document, (spec, before) => {
        const bytes = encode(before);
        const result = orRefusal(() =>
          applyUpdate(parseUpdate(spec), before, { isInsert: false, now: NOW, position: 0 }),
        );
        expect(Buffer.from(encode(before))).toEqual(Buffer.from(bytes));
        if (result === undefined) return;
        expect(identicalValues(decode(encode(result.document)), result.document)).toBe(true);
        const isSame = identicalValues(result.document, before);
        // mongod counts it as a change when $unset sets an array element to null that is null already.
        if (!isSame || !spec.has('$unset')) expect(result.changed).toBe(!isSame);
      }),
      { numRuns: 3000 },
    );
  });

  it('an upsert either makes a document with its _id in front or is refused', () => {
    fc.assert(
      fc.property(filter, update, (query, spec) => {
        const made = orRefusal(() => documentForUpsert(parseFilter(query), parseUpdate(spec), { now: NOW }));
        if (made !== undefined) expect(made.keys().next().value).toBe('_id');
      }),
      { numRuns: 2000 },
    );
  });

  it('a pipeline either gives documents or is refused with a code', () => {
    const expression = fc.oneof(
      arbitraryValue,
      fc.constantFrom('$a', '$a.b', '$$ROOT', '$none'),
      fc
        .tuple(
          fc.constantFrom(
            '$add',
            '$concat',
            '$size',
            '$eq',
            '$ifNull',
            '$toString',
            '$toInt',
            '$year',
            '$slice',
            '$mergeObjects',
            '$sin',
            '$trim',
            '$pow',
            '$round',
            '$mod',
            '$zip',
            '$bitOr',
            '$setUnion',
          ),
          fc.array(fc.oneof(arbitraryValue, fc.constantFrom('$a', '$b')), { maxLength: 3 }),
        )
        .map(([operator, operands]) => new Map<string, BsonValue>([[operator, operands]])),
    );
    const stage = fc
      .tuple(
        fc.constantFrom(
          '$project',
          '$set',
          '$group',
          '$sort',
          '$match',
          '$unwind',
          '$replaceWith',
          '$sortByCount',
          '$unset',
          '$count',
          '$setWindowFields',
          '$bucketAuto',
          '$graphLookup',
          '$merge',
          '$out',
        ),
        fc.oneof(
          fc
            .array(fc.tuple(name, expression), { minLength: 1, maxLength: 2 })
            .map((fields) => new Map(fields)),
          expression,
        ),
      )
      .map(([stageName, spec]) => new Map<string, BsonValue>([[stageName, spec]]));
    /** Window functions over whatever there is, as a stage of random fields hardly ever parses. */
    const windowed = fc
      .tuple(
        fc.constantFrom('$sum', '$min', '$push', '$shift', '$rank', '$locf'),
        expression,
        fc.constantFrom('documents', 'range'),
        fc.tuple(
          fc.constantFrom<BsonValue>('unbounded', int32(-1)),
          fc.constantFrom<BsonValue>('current', int32(1)),
        ),
      )
      .map(([operator, operand, kind, bounds]) => {
        const takesWindow = ['$sum', '$min', '$push'].includes(operator);
        const field = new Map<string, BsonValue>([[operator, operand]]);
        if (takesWindow) field.set('window', new Map([[kind, bounds]]));
        const sortBy = new Map<string, BsonValue>([['a', int32(1)]]);
        const output = new Map<string, BsonValue>([['x', field]]);
        return new Map<string, BsonValue>([['$setWindowFields', documentOf({ sortBy, output })]]);
      });
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: stage }, windowed), { maxLength: 3 }),
        fc.array(document, { maxLength: 3 }),
        (stages, documents) => {
          const results = orRefusal(() => [
            ...runPipeline(parsePipeline(stages, { now: NOW, variables: new Map() }), documents),
          ]);
          for (const result of results ?? []) expect(result).toBeInstanceOf(Map);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('laws that hold for all values', () => {
  const comparable = arbitraryValue.filter(
    (value) => !(value instanceof Map) && !(value instanceof BSONRegExp) && !(value instanceof BsonUndefined),
  );
  const asks = (operator: string, wanted: BsonValue, value: BsonValue) =>
    matches(parseFilter(new Map([['a', new Map([[operator, wanted]])]])), new Map([['a', value]]));

  it('$eq matches exactly what compares as equal, and $in the same', () => {
    const scalar = comparable.filter((value) => !Array.isArray(value));
    fc.assert(
      fc.property(scalar, scalar, (wanted, value) => {
        const isEqual = equalValues(wanted, value) || (wanted === null && typeClassOf(value) === 0);
        expect(asks('$eq', wanted, value)).toBe(isEqual);
        expect(asks('$in', [wanted], value)).toBe(isEqual);
        expect(asks('$ne', wanted, value)).toBe(!isEqual);
      }),
      { numRuns: 2000 },
    );
  });

  it('of two values of one class exactly one of less, equal and greater holds, NaN aside', () => {
    fc.assert(
      fc.property(comparable, comparable, (wanted, value) => {
        if (Array.isArray(wanted) || Array.isArray(value) || isNaNValue(wanted) || isNaNValue(value)) return;
        if (typeClassOf(wanted) !== typeClassOf(value)) return;
        const holding = ['$lt', '$eq', '$gt'].filter((operator) => asks(operator, wanted, value));
        expect(holding).toEqual([['$lt', '$eq', '$gt'][Math.sign(compareValues(value, wanted)) + 1]]);
      }),
      { numRuns: 2000 },
    );
  });

  it('what $set writes is there afterwards, and writing it again changes nothing', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('a', 'b', 'c'), arbitraryValue, (made, path, value) => {
        const before = new Map(made).set('_id', 'an id');
        const parsed = parseUpdate(new Map([['$set', new Map([[path, value]])]]));
        const options = { isInsert: false, now: NOW };
        const { document: after } = applyUpdate(parsed, before, options);
        expect(identicalValues(after.get(path) as BsonValue, value)).toBe(true);
        expect(applyUpdate(parsed, after, options).changed).toBe(false);
      }),
    );
  });
});

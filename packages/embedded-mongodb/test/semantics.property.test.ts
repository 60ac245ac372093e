import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCUMULATORS } from '../src/aggregation/accumulators.ts';
import { OPERATORS } from '../src/aggregation/operators.ts';
import { parsePipeline, runPipeline, STAGES } from '../src/aggregation/pipeline.ts';
import { BSONRegExp, type BsonValue, type Document, decode, encode } from '../src/bson/document.ts';
import { MongoError } from '../src/bson/mongo-error.ts';
import { compareValues, equalValues, identicalValues, typeClassOf } from '../src/semantics/compare.ts';
import { FILTER_OPERATORS } from '../src/semantics/filter/parse.ts';
import { matches, parseFilter } from '../src/semantics/filter.ts';
import { isNaNValue } from '../src/semantics/numbers.ts';
import { MODIFIERS } from '../src/semantics/update/parse-modifiers.ts';
import { applyUpdate, parseUpdate } from '../src/semantics/update.ts';
import { documentForUpsert } from '../src/semantics/upsert.ts';
import { arbitraryDocument, arbitraryNumber, arbitraryValue } from './arbitrary-values.ts';

const NOW = new Date(0);

/** The function's result; undefined if it throws a MongoError. Any other error fails the test. */
function orRejection<T>(run: () => T): T | undefined {
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
const operand = fc.oneof(arbitraryValue, fc.array(arbitraryValue, { maxLength: 3 }));
const operators = fc
  .array(fc.tuple(fc.constantFrom(...FILTER_OPERATORS), operand), { minLength: 1, maxLength: 2 })
  .map((fields) => new Map<string, BsonValue>(fields));
const condition = fc.oneof(arbitraryValue, operators);
const filter = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.tuple(name, condition) }, operators.map(firstField)), {
    maxLength: 3,
  })
  .map((fields) => new Map<string, BsonValue>(fields));
const fieldsOfModifier = fc.array(fc.tuple(name, condition), { minLength: 1, maxLength: 2 });
const update = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(MODIFIERS)), fieldsOfModifier), {
    minLength: 1,
    maxLength: 2,
  })
  .map(
    (modifiers) =>
      new Map<string, BsonValue>(modifiers.map(([modifier, fields]) => [modifier, new Map(fields)])),
  );

function firstField(fields: Document): [string, BsonValue] {
  return [...fields][0] as [string, BsonValue];
}

const expression = fc.oneof(
  arbitraryValue,
  fc.constantFrom('$a', '$a.b', '$$ROOT', '$none'),
  fc
    .tuple(
      fc.constantFrom(...Object.keys(OPERATORS)),
      fc.array(fc.oneof(arbitraryValue, fc.constantFrom('$a', '$b')), { maxLength: 3 }),
    )
    .map(([operator, operands]) => new Map<string, BsonValue>([[operator, operands]])),
);
const accumulator = fc
  .tuple(fc.constantFrom(...Object.keys(ACCUMULATORS)), expression)
  .map(([operator, operands]) => new Map<string, BsonValue>([[operator, operands]]));
/** These stages report on the server and can only be first in an aggregate command. */
const SOURCE_STAGES = ['$collStats', '$currentOp', '$indexStats'];
const stage = fc
  .tuple(
    fc.constantFrom(...Object.keys(STAGES).filter((stageName) => !SOURCE_STAGES.includes(stageName))),
    fc.oneof(
      fc
        .array(fc.tuple(name, fc.oneof(expression, accumulator)), { minLength: 1, maxLength: 2 })
        .map((fields) => new Map(fields)),
      expression,
    ),
  )
  .map(([stageName, spec]) => new Map<string, BsonValue>([[stageName, spec]]));

describe('for any input', () => {
  it('a filter either matches a document, does not match it, or is rejected with a code', () => {
    fc.assert(
      fc.property(filter, document, (spec, target) => {
        const node = orRejection(() => parseFilter(spec));
        if (node === undefined) return;
        expect(typeof matches(node, target)).toBe('boolean');
      }),
      { numRuns: 3000 },
    );
  });

  it('an update either results in a valid document or is rejected, and does not change its input', () => {
    fc.assert(
      fc.property(update, document, (spec, before) => {
        const bytes = encode(before);
        const result = orRejection(() =>
          applyUpdate(parseUpdate(spec), before, { isInsert: false, now: NOW }),
        );
        expect(Buffer.from(encode(before))).toEqual(Buffer.from(bytes));
        if (result === undefined) return;
        expect(identicalValues(decode(encode(result.document)), result.document)).toBe(true);
        if (!result.changed) expect(result.document).toBe(before);
      }),
      { numRuns: 3000 },
    );
  });

  it('an upsert either results in a document that starts with its _id or is rejected', () => {
    fc.assert(
      fc.property(filter, update, (query, spec) => {
        const inserted = orRejection(() =>
          documentForUpsert(parseFilter(query), parseUpdate(spec), { now: NOW }),
        );
        if (inserted !== undefined) expect(inserted.keys().next().value).toBe('_id');
      }),
      { numRuns: 2000 },
    );
  });

  it('a pipeline either returns documents or is rejected with a code', () => {
    fc.assert(
      fc.property(
        fc.array(stage, { maxLength: 3 }),
        fc.array(document, { maxLength: 3 }),
        (stages, documents) => {
          const results = orRejection(() => [...runPipeline(parsePipeline(stages, { now: NOW }), documents)]);
          for (const result of results ?? []) expect(result).toBeInstanceOf(Map);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('for all values', () => {
  const comparable = arbitraryValue.filter(
    (value) => !(value instanceof Map) && !(value instanceof BSONRegExp),
  );
  const scalar = comparable.filter((value) => !Array.isArray(value));
  const asks = (operator: string, wanted: BsonValue, value: BsonValue) =>
    matches(parseFilter(new Map([['a', new Map([[operator, wanted]])]])), new Map([['a', value]]));

  it('$eq and $in match exactly the values that compare as equal', () => {
    fc.assert(
      fc.property(scalar, scalar, (wanted, value) => {
        const isEqual = equalValues(wanted, value);
        expect(asks('$eq', wanted, value)).toBe(isEqual);
        expect(asks('$in', [wanted], value)).toBe(isEqual);
        expect(asks('$ne', wanted, value)).toBe(!isEqual);
      }),
      { numRuns: 2000 },
    );
  });

  it('exactly one of less, equal, and greater is true for two values of one class, except NaN', () => {
    fc.assert(
      fc.property(scalar, scalar, (wanted, value) => {
        if (typeClassOf(wanted) !== typeClassOf(value) || isNaNValue(wanted) || isNaNValue(value)) return;
        const holding = ['$lt', '$eq', '$gt'].filter((operator) => asks(operator, wanted, value));
        expect(holding).toEqual([['$lt', '$eq', '$gt'][Math.sign(compareValues(value, wanted)) + 1]]);
      }),
      { numRuns: 2000 },
    );
  });

  it('$set stores the value, and setting it again changes nothing', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('a', 'b', 'c'), arbitraryValue, (fields, path, value) => {
        const before = new Map(fields).set('_id', 'an id');
        const parsed = parseUpdate(new Map([['$set', new Map([[path, value]])]]));
        const options = { isInsert: false, now: NOW };
        const { document: after } = applyUpdate(parsed, before, options);
        expect(identicalValues(after.get(path) as BsonValue, value)).toBe(true);
        expect(applyUpdate(parsed, after, options).changed).toBe(false);
      }),
    );
  });
});

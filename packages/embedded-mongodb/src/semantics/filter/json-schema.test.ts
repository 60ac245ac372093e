import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand } from '../../../test/shorthand.ts';
import { decimal, double, long } from '../../bson/document.ts';
import { matches, parseFilter } from '../filter.ts';

type Fields = { [name: string]: Shorthand };

const CASES: [schema: Fields, conforming: Fields[], others: Fields[]][] = [
  [{}, [{}, { a: 1 }], []],
  [{ required: ['a'] }, [{ a: null }], [{}]],
  [{ properties: { a: { bsonType: 'int' } } }, [{}, { a: 1 }], [{ a: double(1) }, { a: [1] }]],
  [{ properties: { a: { bsonType: ['string', 'null'] } } }, [{ a: 'x' }, { a: null }], [{ a: 1 }]],
  [{ properties: { a: { type: 'number' } } }, [{ a: 1 }, { a: decimal('1') }], [{ a: '1' }]],
  [
    { properties: { a: { minimum: 1, maximum: 3 } } },
    [{ a: 1 }, { a: long(3) }, { a: 'x' }],
    [{ a: 0.5 }, { a: 4 }],
  ],
  [{ properties: { a: { minimum: 1, exclusiveMinimum: true } } }, [{ a: 1.5 }], [{ a: 1 }]],
  [{ properties: { a: { maximum: 1, exclusiveMaximum: true } } }, [{ a: 0.5 }], [{ a: 1 }]],
  [
    { properties: { a: { multipleOf: decimal('0.1') } } },
    [{ a: decimal('0.3') }, { a: 2 }],
    [{ a: decimal('0.35') }],
  ],
  [
    { properties: { a: { minLength: 2, maxLength: 3 } } },
    [{ a: 'éé' }, { a: 5 }],
    [{ a: 'x' }, { a: 'abcd' }],
  ],
  [{ properties: { a: { pattern: '^x' } } }, [{ a: 'xy' }], [{ a: 'y' }]],
  [{ properties: { a: { enum: [1, 'x', [1]] } } }, [{ a: double(1) }, { a: [1] }], [{ a: 2 }]],
  [
    { properties: { a: { items: { bsonType: 'int' }, minItems: 1, maxItems: 2, uniqueItems: true } } },
    [{ a: [1] }, { a: 'x' }],
    [{ a: [] }, { a: ['x'] }, { a: [1, 2, 3] }, { a: [1, 1] }],
  ],
  [
    { properties: { a: { items: [{ bsonType: 'int' }], additionalItems: false } } },
    [{ a: [1] }, { a: [] }],
    [{ a: [1, 2] }],
  ],
  [{ properties: { a: {} }, additionalProperties: false }, [{ a: 1 }, {}], [{ b: 1 }]],
  [{ properties: { a: {} }, additionalProperties: { bsonType: 'string' } }, [{ a: 1, b: 'x' }], [{ b: 1 }]],
  [
    { patternProperties: { '^s_': { bsonType: 'string' } }, additionalProperties: false },
    [{ s_a: 'x' }],
    [{ s_a: 1 }, { b: 1 }],
  ],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 1, c: 1 }]],
  [{ dependencies: { a: ['b'] } }, [{ a: 1, b: 1 }, {}], [{ a: 1 }]],
  [{ allOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ b: 1 }], [{}]],
  [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ b: 1 }], [{ a: 1, b: 1 }]],
  [{ not: { required: ['a'] } }, [{}], [{ a: 1 }]],
  [
    { bsonType: 'object', title: 't', properties: { a: { bsonType: 'object', required: ['b'] } } },
    [{ a: { b: 1 } }],
    [{ a: {} }, { a: 1 }],
  ],
];

describe('$jsonSchema', () => {
  it.each(CASES)('%j', (schema, conforming, others) => {
    const node = parseFilter(doc({ $jsonSchema: schema }));
    expect(conforming.filter((fields) => !matches(node, doc(fields)))).toEqual([]);
    expect(others.filter((fields) => matches(node, doc(fields)))).toEqual([]);
  });

  it.each<[Shorthand, number]>([
    [1, 14],
    [{ foo: 1 }, 9],
    [{ $ref: 'x' }, 9],
    [{ type: 'integer' }, 2],
    [{ bsonType: 'foo' }, 2],
    [{ type: 'object', bsonType: 'object' }, 9],
    [{ required: [] }, 9],
    [{ minimum: 'x' }, 14],
    [{ exclusiveMinimum: true }, 9],
    [{ minLength: -1 }, 9],
    [{ multipleOf: 0 }, 9],
    [{ anyOf: [] }, 2],
    [{ properties: { a: { foo: 1 } } }, 9],
  ])('%j is refused', (schema, code) => {
    expect(codeOf(() => parseFilter(doc({ $jsonSchema: schema })))).toBe(code);
  });
});

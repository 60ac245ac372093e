import { expect, it } from 'vitest';
import { type Shorthand, value } from '../../test/shorthand.ts';
import { compileExpression } from '../aggregation/expression.ts';
import {
  OUT_OF_SCOPE_ACCUMULATORS,
  OUT_OF_SCOPE_OPERATORS,
  OUT_OF_SCOPE_STAGES,
  OUT_OF_SCOPE_VARIABLES,
} from '../aggregation/out-of-scope.ts';
import { parsePipeline } from '../aggregation/pipeline.ts';
import type { Document } from '../bson/document.ts';
import { FIELD_OUT_OF_SCOPE, TOP_LEVEL_OUT_OF_SCOPE } from './filter/parse.ts';
import { parseFilter } from './filter.ts';
import { parseProjection } from './projection.ts';
import { parseSort } from './sort.ts';
import { MODIFIERS_OUT_OF_SCOPE } from './update/parse-modifiers.ts';
import { parseUpdate } from './update.ts';

const NOT_IMPLEMENTED = expect.objectContaining({
  code: 238,
  message: expect.stringContaining('is outside the scope of embedded-mongodb'),
});

type Parse = (specification: Shorthand) => unknown;
const filter: Parse = (specification) => parseFilter(value(specification));
const update: Parse = (specification) => parseUpdate(value(specification));
const projection: Parse = (specification) => parseProjection(value(specification) as Document);
const sort: Parse = (specification) => parseSort(value(specification));
const expression: Parse = (specification) => compileExpression(value(specification));
const stage: Parse = (specification) => parsePipeline([value(specification)], { now: new Date() });

/** Every MongoDB 7 feature that the parsers recognize and reject. */
const REJECTED: [what: string, parse: Parse, specifications: Shorthand[]][] = [
  ['operators on a document', filter, [...TOP_LEVEL_OUT_OF_SCOPE].map((name) => ({ [name]: {} }))],
  ['operators within $or', filter, [...TOP_LEVEL_OUT_OF_SCOPE].map((name) => ({ $or: [{ [name]: {} }] }))],
  ['operators on a field', filter, [...FIELD_OUT_OF_SCOPE].map((name) => ({ a: { [name]: 1 } }))],
  ['operators within $not', filter, [...FIELD_OUT_OF_SCOPE].map((name) => ({ a: { $not: { [name]: 1 } } }))],
  ['patterns', filter, [{ a: { $in: [/x/] } }]],
  ['modifiers', update, [...MODIFIERS_OUT_OF_SCOPE].map((name) => ({ [name]: { a: 1 } }))],
  ['operators of $pull', update, [...FIELD_OUT_OF_SCOPE].map((name) => ({ $pull: { a: { [name]: 1 } } }))],
  [
    'positions',
    update,
    ['a.$', 'a.$.b', 'a.$[]', 'a.$[].b', 'a.$[x]', '$'].map((path) => ({ $set: { [path]: 1 } })),
  ],
  [
    'clauses',
    update,
    [
      { $push: { a: { $each: [1], $position: 0 } } },
      { $push: { a: { $each: [1], $sort: 1 } } },
      { $bit: { a: { and: 1 } } },
      { $bit: { a: { xor: 1 } } },
      [{ $set: { 'a.b': 1 } }],
      [{ $set: { a: { b: 1 } } }],
      [{ $unset: 'a' }],
    ],
  ],
  [
    'projections',
    projection,
    [
      ...['a.$', 'a.b.$', 'a.$.b'].map((path) => ({ [path]: 1 })),
      ...[{ $meta: 'textScore' }, { $slice: 1 }, { $elemMatch: { b: 1 } }, '$b', { b: 1 }].map((a) => ({
        a,
      })),
    ],
  ],
  ['sorts', sort, [{ a: { $meta: 'textScore' } }]],
  ['expressions', expression, [...OUT_OF_SCOPE_OPERATORS].map((name) => ({ [name]: {} }))],
  ['variables', expression, [...OUT_OF_SCOPE_VARIABLES].map((name) => `$$${name}`)],
  [
    'accumulators',
    stage,
    [...OUT_OF_SCOPE_ACCUMULATORS].map((name) => ({ $group: { _id: null, x: { [name]: {} } } })),
  ],
  [
    'stages',
    stage,
    [...[...OUT_OF_SCOPE_STAGES].map((name) => ({ [name]: {} })), { $unwind: { path: '$a' } }],
  ],
];

it.each(REJECTED)(
  '%s out of scope are rejected with NotImplemented (238)',
  (_what, parse, specifications) => {
    for (const specification of specifications)
      expect(() => parse(specification), JSON.stringify(specification)).toThrow(NOT_IMPLEMENTED);
  },
);

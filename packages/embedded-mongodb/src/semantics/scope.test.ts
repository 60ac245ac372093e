import { BSONRegExp } from 'bson';
import { expect, it } from 'vitest';
import { doc, type Shorthand, value } from '../../test/shorthand.ts';
import { MongoError } from '../bson/mongo-error.ts';
import { FIELD_OUT_OF_SCOPE, TOP_LEVEL_OUT_OF_SCOPE } from './filter/parse.ts';
import { parseFilter } from './filter.ts';
import { parseProjection } from './projection.ts';
import { parseSort } from './sort.ts';
import { MODIFIERS_OUT_OF_SCOPE } from './update/parse-modifiers.ts';
import { parseUpdate } from './update.ts';

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** Every MongoDB 7 feature that these parsers recognize and reject. */
const OUT_OF_SCOPE: [what: string, parse: (spec: Shorthand) => unknown, spec: Shorthand][] = [
  ...[...TOP_LEVEL_OUT_OF_SCOPE].flatMap((name): typeof OUT_OF_SCOPE => [
    [`filter ${name}`, (spec) => parseFilter(value(spec)), { [name]: {} }],
    [`filter ${name} in $or`, (spec) => parseFilter(value(spec)), { $or: [{ [name]: {} }] }],
  ]),
  ...[...FIELD_OUT_OF_SCOPE].flatMap((name): typeof OUT_OF_SCOPE => [
    [`filter ${name}`, (spec) => parseFilter(value(spec)), { a: { [name]: 1 } }],
    [`filter ${name} in $not`, (spec) => parseFilter(value(spec)), { a: { $not: { [name]: 1 } } }],
    [`$pull by ${name}`, (spec) => parseUpdate(value(spec)), { $pull: { a: { [name]: 1 } } }],
  ]),
  ...[...MODIFIERS_OUT_OF_SCOPE].map((name): (typeof OUT_OF_SCOPE)[number] => [
    `modifier ${name}`,
    (spec) => parseUpdate(value(spec)),
    { [name]: { a: 1 } },
  ]),
  ...['a.$', 'a.$.b', 'a.$[]', 'a.$[].b', 'a.$[x]', '$'].map((path): (typeof OUT_OF_SCOPE)[number] => [
    `update path ${path}`,
    (spec) => parseUpdate(value(spec)),
    { $set: { [path]: 1 } },
  ]),
  ...['a.$', 'a.b.$', 'a.$.b'].map((path): (typeof OUT_OF_SCOPE)[number] => [
    `projection ${path}`,
    (spec) => parseProjection(doc(spec as never)),
    { [path]: 1 },
  ]),
  ...[{ $meta: 'textScore' }, { $slice: 1 }, { $elemMatch: { b: 1 } }, '$b', { b: 1 }].map(
    (of): (typeof OUT_OF_SCOPE)[number] => [
      'projection',
      (spec) => parseProjection(doc(spec as never)),
      { a: of },
    ],
  ),
  ...[
    { $each: [1], $position: 0 },
    { $each: [1], $sort: 1 },
  ].map((clauses): (typeof OUT_OF_SCOPE)[number] => [
    '$push',
    (spec) => parseUpdate(value(spec)),
    { $push: { a: clauses } },
  ]),
  ...['and', 'xor'].map((name): (typeof OUT_OF_SCOPE)[number] => [
    `$bit with ${name}`,
    (spec) => parseUpdate(value(spec)),
    { $bit: { a: { [name]: 1 } } },
  ]),
  ['a pattern in $in', (spec) => parseFilter(value(spec)), { a: { $in: [new BSONRegExp('x')] } }],
  ['a nested field of $set', (spec) => parseUpdate(value(spec)), [{ $set: { 'a.b': 1 } }]],
  ['a document in $set', (spec) => parseUpdate(value(spec)), [{ $set: { a: { b: 1 } } }]],
  ['sort $meta', (spec) => parseSort(value(spec)), { a: { $meta: 'textScore' } }],
];

it.each(OUT_OF_SCOPE)(
  'a feature out of scope is rejected with NotImplemented (238): %s',
  (_what, parse, spec) => {
    const error = errorOf(() => parse(spec));
    expect(error).toBeInstanceOf(MongoError);
    expect(error).toMatchObject({ code: 238, codeName: 'NotImplemented' });
    expect((error as MongoError).message).toContain('is outside the scope of embedded-mongodb');
  },
);

it('a feature out of scope is not the name of an operator in scope', () => {
  const served = errorOf(() => [
    parseFilter(doc({ a: { $in: [1] } })),
    parseUpdate(doc({ $set: { a: 1 } })),
    parseProjection(doc({ a: 1 })),
    parseSort(doc({ a: 1 })),
  ]);
  expect(served).not.toBeInstanceOf(Error);
});

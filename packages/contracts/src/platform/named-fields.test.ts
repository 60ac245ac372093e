import Type from 'typebox';
import { expect, it } from 'vitest';
import { namedFields } from './named-fields.ts';
import { Nullable } from './schema.ts';

const Order = Type.Object({
  id: Type.String(),
  lines: Type.Array(Type.Object({ item: Type.String() })),
  buyer: Nullable(Type.Object({ name: Type.String() })),
  headers: Type.Record(Type.String(), Type.String()),
  pairs: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
  anything: Type.Unknown(),
  note: Type.Optional(Type.String()),
});

const order = {
  id: '1',
  lines: [{ item: 'book' }],
  buyer: { name: 'Ada' },
  headers: { constructor: '1', 'a.b': '2', ...JSON.parse('{"__proto__":"3"}') },
  pairs: [[1, 2]],
  anything: { inner: { any: 1 } },
};

it('`namedFields` keeps a value that has only named fields', () => {
  const named = namedFields(Order, order) as typeof order;
  expect(JSON.stringify(named)).toBe(JSON.stringify(order));
});

it('`namedFields` leaves out fields that the schema does not name, at every depth', () => {
  const stored = {
    pin: 'secret',
    ...order,
    digest: 'secret',
    lines: [{ item: 'book', margin: 3 }],
    buyer: { name: 'Ada', password: 'secret' },
  };
  expect(JSON.stringify(namedFields(Order, stored))).toBe(JSON.stringify(order));
  expect(stored.buyer).toHaveProperty('password');
});

it('`namedFields` keeps null, absent, and invalid values for the check that follows', () => {
  expect(namedFields(Order, { buyer: null, lines: 'none' })).toEqual({ buyer: null, lines: 'none' });
  expect(namedFields(Order, undefined)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { describeChanges } from './describe-changes.ts';

const unset = { kind: 'unset' };
const text = (value: string) => ({ kind: 'text', text: value });

it('the changes of a record show the value of each field before and after', () => {
  expect(
    describeChanges({
      name: { before: 'Shop', after: 'Web shop' },
      is_enabled: { before: false, after: true },
      description: { before: 'Old', after: '' },
    }),
  ).toEqual([
    { kind: 'value', field: ['Name'], before: text('Shop'), after: text('Web shop') },
    { kind: 'value', field: ['Is enabled'], before: text('No'), after: text('Yes') },
    { kind: 'value', field: ['Description'], before: text('Old'), after: text('Empty') },
  ]);
});

it('the changes of a record show the added and removed items of a list', () => {
  expect(
    describeChanges({
      scopes: { before: ['payment:read', 'payment:create'], after: ['payment:read', 'payment:cancel'] },
    }),
  ).toEqual([
    { kind: 'list', field: ['Scopes'], added: ['payment:cancel'], removed: ['payment:create'], kept: 1 },
  ]);
});

it('the changes of a record show all items of a new list, and that a new empty list has none', () => {
  expect(
    describeChanges({
      scopes: { before: null, after: ['payment:read'] },
      allowed_cidrs: { before: null, after: [] },
    }),
  ).toEqual([
    { kind: 'list', field: ['Scopes'], added: ['payment:read'], removed: [], kept: 0 },
    { kind: 'value', field: ['Allowed networks'], before: unset, after: text('None') },
  ]);
});

it('the changes of a record show labels as a list, because their keys are no field names', () => {
  expect(
    describeChanges({ labels: { before: { env: 'test' }, after: { env: 'prod', team: 'checkout' } } }),
  ).toEqual([
    {
      kind: 'list',
      field: ['Labels'],
      added: ['env:prod', 'team:checkout'],
      removed: ['env:test'],
      kept: 0,
    },
  ]);
  expect(describeChanges({ labels: { before: null, after: {} } })).toEqual([
    { kind: 'value', field: ['Labels'], before: unset, after: text('None') },
  ]);
});

it('the changes of a record show only the members of an object that differ', () => {
  const before = {
    live: { requests_per_second: 100, burst: 200 },
    sandbox: { requests_per_second: 25, burst: 50 },
  };
  const after = { ...before, live: { requests_per_second: 1000, burst: 200 } };
  expect(describeChanges({ limits: { before, after } })).toEqual([
    {
      kind: 'value',
      field: ['Limits', 'Live', 'Requests per second'],
      before: text('100'),
      after: text('1,000'),
    },
  ]);
  expect(describeChanges({ disabled: { before: null, after: { by: 'member', reason: null } } })).toEqual([
    { kind: 'value', field: ['Disabled', 'By'], before: unset, after: text('member') },
  ]);
});

it('the changes of a record distinguish times and ids from other text', () => {
  const at = '2026-11-21T14:05:00.000Z';
  const id = 'key_01kf0fj3s0ec7s9q7v0h5x2m4q';
  expect(
    describeChanges({ expires_at: { before: null, after: at }, rotated_to: { before: null, after: id } }),
  ).toEqual([
    { kind: 'value', field: ['Expires at'], before: unset, after: { kind: 'time', at } },
    { kind: 'value', field: ['Rotated to'], before: unset, after: { kind: 'id', id } },
  ]);
});

it('the changes of a record show an amount with its currency', () => {
  expect(
    describeChanges({
      amount: { before: null, after: 1999 },
      currency: { before: null, after: 'EUR' },
      status: { before: null, after: 'pending' },
    }),
  ).toEqual([
    { kind: 'value', field: ['Amount'], before: unset, after: text('19.99 EUR') },
    { kind: 'value', field: ['Status'], before: unset, after: text('pending') },
  ]);
});

it('the changes of a record show both values completely when the type of a value changes', () => {
  expect(describeChanges({ value: { before: ['a'], after: { b: 1 } } })).toEqual([
    { kind: 'value', field: ['Value'], before: text('["a"]'), after: text('{"b":1}') },
  ]);
});

import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import * as accounts from '../src/accounts/rpc/methods.ts';
import { LabelFilter, LabelsInput } from '../src/applications/labels.ts';
import * as applications from '../src/applications/rpc.ts';
import * as audit from '../src/audit/rpc.ts';
import { CancelPaymentBody, CreatePaymentBody } from '../src/payments/payment.ts';
import * as payments from '../src/payments/rpc.ts';
import { fieldErrors, MAX_FINDINGS } from '../src/platform/field-errors.ts';
import { Id, sentenceOfPattern, Time } from '../src/platform/schema.ts';
import * as usage from '../src/usage/rpc.ts';
import * as webhooks from '../src/webhooks/rpc.ts';
import { EventTypes } from '../src/webhooks/webhook.ts';

const schema = Compile(CreatePaymentBody);
const valid = { amount: 1, currency: 'EUR' };
const TOO_LONG = 'The key must have at most 40 characters.';
const KEY_CHARACTERS =
  'The key must start with a lowercase letter or a digit, and contain only lowercase letters, digits, and _.-';

describe('a field error names the place, the kind, and the remedy', () => {
  it.each([
    ['a missing field', { currency: 'EUR' }, '/amount', 'missing'],
    ['an unknown field', { ...valid, amonut: 1 }, '/amonut', 'unknown'],
    ['an unknown field with a slash', { ...valid, 'a/b~c': 1 }, '/a~1b~0c', 'unknown'],
    ['a number as text', { ...valid, amount: '1' }, '/amount', 'wrong-type'],
    ['a fraction', { ...valid, amount: 1.5 }, '/amount', 'wrong-type'],
    ['a field inside the payer', { ...valid, payer: { email: 'x' } }, '/payer/email', 'invalid'],
    ['an unknown field inside the payer', { ...valid, payer: { mail: 'x' } }, '/payer/mail', 'unknown'],
    ['a metadata value of the wrong type', { ...valid, metadata: { a: 1 } }, '/metadata/a', 'wrong-type'],
  ])('%s', (_, body, pointer, code) => {
    expect(fieldErrors(schema.Errors(body))).toContainEqual(expect.objectContaining({ pointer, code }));
  });

  it('a wrong type in a nullable field is reported with the type that is allowed', () => {
    expect(fieldErrors(schema.Errors({ ...valid, payer: 'me' }))).toEqual([
      { pointer: '/payer', code: 'wrong-type', detail: 'This must be of type object.' },
    ]);
  });

  it.each([
    [1, '', 'This must not be empty.'],
    [12, 'short', 'This must have at least 12 characters.'],
    [1, 'x'.repeat(21), 'This must have at most 20 characters.'],
  ])('a text of a wrong length is reported with the length that is allowed', (minLength, text, detail) => {
    const name = Compile(Type.String({ minLength, maxLength: 20 }));
    expect(fieldErrors(name.Errors(text))).toEqual([{ pointer: '', code: 'invalid', detail }]);
  });

  it.each(['many', 1.5, null])('a value that is not an integer is reported as such: %s', (value) => {
    const number = Compile(Type.Integer());
    const detail = 'This must be a whole number.';
    expect(fieldErrors(number.Errors(value))).toEqual([{ pointer: '', code: 'wrong-type', detail }]);
  });

  it.each([
    [0, 'This must be 1 or more.'],
    [9, 'This must be 5 or less.'],
  ])('a number out of range is reported with its bound: %s', (value, detail) => {
    const number = Compile(Type.Integer({ minimum: 1, maximum: 5 }));
    expect(fieldErrors(number.Errors(value))).toEqual([{ pointer: '', code: 'invalid', detail }]);
  });

  it.each([
    [
      CreatePaymentBody,
      { ...valid, metadata: { ['k'.repeat(41)]: 'v' } },
      `/metadata/${'k'.repeat(41)}`,
      TOO_LONG,
    ],
    [CreatePaymentBody, { ...valid, metadata: { ['k'.repeat(500)]: 'v' } }, '/metadata', TOO_LONG],
    [CreatePaymentBody, { ...valid, metadata: { '': 'v' } }, '/metadata/', 'The key must not be empty.'],
    [LabelsInput, { ['k'.repeat(41)]: 'v' }, `/${'k'.repeat(41)}`, TOO_LONG],
    [LabelsInput, { '': 'v' }, '/', KEY_CHARACTERS],
    [LabelsInput, { 'Team:a': 'v' }, '/Team:a', KEY_CHARACTERS],
  ])('an invalid key of a map is reported as such', (type: TSchema, value, pointer, detail) => {
    expect(fieldErrors(Compile(type).Errors(value))).toEqual([{ pointer, code: 'invalid', detail }]);
  });

  it('a key of a map may have a line break, and its value is checked', () => {
    const of = (value: unknown) => ({ ...valid, metadata: { 'a\nb': value } });
    expect(schema.Check(of('v'))).toBe(true);
    expect(fieldErrors(schema.Errors(of(1)))).toEqual([
      { pointer: '/metadata/a\nb', code: 'wrong-type', detail: 'This must be of type string.' },
    ]);
  });

  it('a long name is not repeated: the error names its object instead', () => {
    const name = '/'.repeat(100_000);
    expect(fieldErrors(schema.Errors({ ...valid, payer: { [name]: 1 } }))).toEqual([
      { pointer: '/payer', code: 'unknown', detail: 'This field does not exist.' },
    ]);
  });

  it('each place is named once, and no more than the limit are', () => {
    const body: Record<string, unknown> = { ...valid };
    for (let index = 0; index < 2 * MAX_FINDINGS; index++) body[`field${index}`] = 1;
    const pointers = fieldErrors(schema.Errors(body)).map((error) => error.pointer);
    expect(pointers).toContain('/field0');
    expect(new Set(pointers).size).toBe(pointers.length);
    expect(pointers.length).toBe(MAX_FINDINGS);
  });
});

it.each([
  [Id('payment'), 'pay_1', 'This must be a complete ID that starts with pay_.'],
  [LabelFilter, 'env', 'This must be a label and its value, such as env:prod.'],
  [Time, 'today', 'This must be a time with its time zone, such as 2026-01-31T09:30:00Z.'],
  [EventTypes, [], 'This must have at least one entry.'],
  [EventTypes, ['payment.created', 'payment.created'], 'This must not have the same entry twice.'],
  [Type.String({ pattern: '^a$' }), 'b', 'This value is not valid.'],
])(
  'a person gets a sentence, and never a regular expression for a value that the schema rejects',
  (type: TSchema, value, detail) => {
    expect(fieldErrors(Compile(type).Errors(value))).toEqual([{ pointer: '', code: 'invalid', detail }]);
  },
);

it('a person gets a sentence, and never a regular expression for the text of every request', () => {
  const contracts = [accounts, applications, audit, payments, usage, webhooks].flatMap((service) =>
    Object.values(service).filter((exported) => typeof exported === 'object' && 'request' in exported),
  );
  const patterns = [CreatePaymentBody, CancelPaymentBody, ...contracts.map(({ request }) => request)].flatMap(
    patternsIn,
  );
  expect(patterns.length).toBeGreaterThan(50);
  expect(patterns.filter((pattern) => sentenceOfPattern(pattern) === undefined)).toEqual([]);
});

/** The patterns of values, and of the keys of maps. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern } = schema as { pattern?: unknown };
  const own = typeof pattern === 'string' ? [pattern] : [];
  return [...own, ...Object.values(schema).flatMap(patternsIn)];
}

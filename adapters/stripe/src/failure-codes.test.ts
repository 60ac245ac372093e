import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DECLINES, declineFailure, REJECTED_CODES, REJECTED_PARAMS, rejectionOf } from './failure-codes.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it.each([
  ['decline code or error code', DECLINES],
  ['error code', REJECTED_CODES],
  ['parameter', REJECTED_PARAMS],
])('failure codes are the same in the table of README.md: %s', (heading, expected) => {
  const table = README.split(`| code | ${heading} at Stripe |\n`)[1]?.split('\n\n')[0] ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
  const listed = rows.flatMap(([, code, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, code]),
  );
  expect(Object.fromEntries(listed)).toEqual(expected);
});

it('failure codes prefer the decline code of the issuer', () => {
  expect(declineFailure({ code: 'card_declined', decline_code: 'insufficient_funds' }).code).toBe(
    'insufficient_funds',
  );
  expect(declineFailure({ code: 'expired_card', decline_code: 'a_later_code' }).code).toBe('card_expired');
  expect(declineFailure(null).code).toBe('payment_failed');
});

it('failure codes do not tell the payer that a card was reported', () => {
  expect(declineFailure({ decline_code: 'stolen_card' }).message).toBe(
    declineFailure({ decline_code: 'do_not_honor' }).message,
  );
});

it('failure codes reject only for errors about the payment', () => {
  expect(rejectionOf({ code: null, param: 'line_items[0][price_data][unit_amount]' })?.failure.code).toBe(
    'amount_not_accepted',
  );
  for (const code of [
    'parameter_unknown',
    'account_invalid',
    'lock_timeout',
    'testmode_charges_only',
    'constructor',
  ]) {
    expect(rejectionOf({ code, param: null }), code).toBeNull();
  }
  expect(rejectionOf({ code: 'resource_missing', param: 'intent' })).toBeNull();
});

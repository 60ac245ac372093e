import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import type { ListRequest } from '../src/history/list-payments.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { aNewPayment } from './a-new-payment.ts';

/** Few distinct values, so that filters match and many payments share a millisecond. */
export const START_MS = Date.parse('2026-01-01T00:00:00Z');
const APPLICATIONS = [newId('application'), newId('application')];
const email = fc.constantFrom('a@example.com', 'B@example.com');
const text = fc.constantFrom('Ada', 'Bob', 'Bob  Étoile', 'Étoile-Ada (r1)', 'a b c d e');
const fields = {
  environment: fc.constantFrom(...ENVIRONMENTS),
  application_id: fc.constantFrom(...APPLICATIONS),
  status: fc.constantFrom(...PAYMENT_STATUSES),
  currency: fc.constantFrom('EUR', 'USD'),
  reference: fc.constantFrom('r1', 'R1', 'Order r1/ada', 'ﬁ 7'),
};
const somePayment = fc.record({
  ...fields,
  reference: fc.option(fields.reference),
  amount: fc.integer({ min: 1, max: 4 }),
  createdAt: fc.integer({ min: 0, max: 4 }).map((ms) => new Date(START_MS + ms)),
  payer: fc.option(fc.record({ name: fc.option(text), account: fc.option(text), email: fc.option(email) })),
});
export type SomePayment = typeof somePayment extends fc.Arbitrary<infer T> ? T : never;

const instant = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((ms) => new Date(START_MS + ms).toISOString());
const filterValues = {
  ...fields,
  currency: fc.constantFrom('eur', 'USD'),
  amount_min: fc.integer({ min: 1, max: 2 }),
  amount_max: fc.integer({ min: 2, max: 4 }),
  created_from: instant(0, 2),
  created_to: instant(2, 5),
  payer: fc.oneof(email, text),
  search: fc.constantFrom(
    ...[
      'a',
      'ADA',
      ' bob ',
      'bob étoile',
      'E\u0301T',
      'r',
      'R1',
      'order',
      'a@EXAMPLE.com',
      'fi',
      '7',
      'd',
      'e',
    ],
    ...['ada etoile', 'bob r1', 'ada-r1', '0.03', 'usd', 'order 0,02 EUR'],
    ...['pay_', '/', ' '],
  ),
};
/** Few filters at a time: with many, nothing matches, and one page is the whole list. */
export const someFilters: fc.Arbitrary<ListRequest> = fc
  .record({
    names: fc.subarray(Object.keys(filterValues) as (keyof typeof filterValues)[], { maxLength: 3 }),
    values: fc.record(filterValues),
  })
  .map(({ names, values }) => Object.fromEntries(names.map((name) => [name, values[name]])));
export const manyPayments = fc.array(somePayment, { maxLength: 40, size: 'max' });

export function documentOf(teamId: string, { status, ...fields }: SomePayment): PaymentDocument {
  return { ...aNewPayment({ team_id: teamId, dueAt: null, ...fields }), status };
}

import { expect, test } from 'vitest';
import { examplePaymentRow } from '../../test/support/examples.ts';
import { PAYMENT_COLUMNS } from './payment-columns.ts';

const cellOf = (name: string, fields: Parameters<typeof examplePaymentRow>[0]) =>
  PAYMENT_COLUMNS[name]?.(examplePaymentRow(fields));

test.each([
  [1, 'EUR', '0.01'],
  [1250, 'EUR', '12.50'],
  [999_999_999_999, 'USD', '9999999999.99'],
  [7, 'JPY', '7'],
  [5, 'KWD', '0.005'],
  [12_345, 'BHD', '12.345'],
])('the CSV file of payments writes the amount %d %s as %s in major units', (amount, currency, written) => {
  expect(cellOf('amount', { amount, currency })).toBe(written);
  expect(cellOf('amount_minor', { amount, currency })).toBe(amount);
});

test('the CSV file of payments leaves out the amount in major units when the currency is no longer known', () => {
  expect(cellOf('amount', { amount: 5, currency: 'XXX' })).toBeNull();
  expect(cellOf('amount_minor', { amount: 5, currency: 'XXX' })).toBe(5);
});

test('the CSV file of payments has a column for every field of a row except `object` and `cancelable`', () => {
  const expected = Object.keys(examplePaymentRow()).filter(
    (name) => !['object', 'cancelable'].includes(name),
  );
  const columns = Object.keys(PAYMENT_COLUMNS);
  for (const name of expected) {
    expect(columns.filter((column) => column === name || column.startsWith(`${name}_`))).not.toEqual([]);
  }
});

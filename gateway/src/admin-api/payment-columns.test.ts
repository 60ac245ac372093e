import { expect, test } from 'vitest';
import { examplePaymentRow } from '../../test/support/examples.ts';
import { paymentColumns } from './payment-columns.ts';

const PAYMENT_COLUMNS = paymentColumns(new Map([['app_1', 'Shop']]), 'UTC');

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

test('the CSV file of payments names the application', () => {
  expect(cellOf('application', { application_id: 'app_1' })).toBe('Shop');
  expect(cellOf('application', { application_id: 'app_2' })).toBeNull();
});

test('the CSV file of payments writes times in the requested zone, with its offset', () => {
  const row = examplePaymentRow({ created_at: '2026-07-01T22:30:00.000Z', failed_at: null });
  const columns = paymentColumns(new Map(), 'Europe/Berlin');
  expect(columns['created_at']?.(row)).toBe('2026-07-02T00:30:00.000+02:00');
  expect(columns['failed_at']?.(row)).toBeNull();
  expect(cellOf('created_at', row)).toBe('2026-07-01T22:30:00.000Z');
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

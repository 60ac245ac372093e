import { expect, it } from 'vitest';
import { rowsOfPolicy } from '#lib/people/approval-rows.ts';
import { readForm } from '../form.ts';
import { readThresholds } from './approval-policy-form.ts';

async function read(...rows: [string, string][]) {
  const fields = rows.flatMap(([currency, amount], index) => [
    [`currency_${index}`, currency],
    [`amount_${index}`, amount],
  ]);
  const body = new URLSearchParams(fields as string[][]);
  const form = await readForm(new Request('http://localhost', { method: 'POST', body }));
  return { thresholds: readThresholds(form), errors: form.errors };
}

it('the form of the approval policy reads amounts in major units, without empty rows', async () => {
  expect(await read(['eur', '1,000.50'], ['', ''], ['JPY', '0'])).toEqual({
    errors: {},
    thresholds: [
      { currency: 'EUR', amount: 100_050 },
      { currency: 'JPY', amount: 0 },
    ],
  });
});

it('the form of the approval policy names each field that must be corrected', async () => {
  expect(await read(['EURO', '1'], ['USD', ''], ['GBP', '1'], ['gbp', '2'])).toMatchObject({
    errors: {
      currency_0: 'Enter a currency code such as EUR.',
      amount_1: 'Enter an amount such as 1,000.00.',
      currency_3: 'GBP is already in the list.',
    },
  });
});

it('the form of the approval policy shows the policy with an empty row for another currency', () => {
  expect(rowsOfPolicy([{ currency: 'EUR', amount: 100_050 }])).toEqual([
    { currency: 'EUR', amount: '1,000.50' },
    { currency: '', amount: '' },
  ]);
});

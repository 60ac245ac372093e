import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { selectedDeliveries } from './selected-deliveries.ts';

const formOf = (fields: [string, string][]) =>
  readForm(new Request('http://localhost', { method: 'POST', body: new URLSearchParams(fields) }));

it('the selected deliveries of a form have the attempts that the member has seen', async () => {
  const form = await formOf([
    ['shown', 'dlv_1 3'],
    ['shown', 'dlv_2 1'],
    ['delivery', 'dlv_1'],
    ['delivery', 'dlv_1'],
  ]);
  expect(selectedDeliveries(form)).toEqual([{ delivery_id: 'dlv_1', attempts: 3 }]);
  expect(form.errors).toEqual({});
});

it('a form without selected deliveries is rejected', async () => {
  const form = await formOf([['shown', 'dlv_1 3']]);
  selectedDeliveries(form);
  expect(form.errors).toEqual({ delivery: 'Select at least one delivery.' });
});

import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { readEndpointForm } from './endpoint-form.ts';

async function eventTypesOf(checked: readonly string[]) {
  const body = new URLSearchParams([
    ['url', 'https://shop.example.com'],
    ...checked.map((type) => ['event_types', type]),
  ]);
  const form = await readForm(new Request('http://localhost', { method: 'POST', body }));
  return readEndpointForm(form).event_types;
}

it('an endpoint receives all event types, including future ones, as long as every one is checked', async () => {
  expect(await eventTypesOf(['*', ...PAYMENT_EVENT_TYPES])).toEqual(['*']);
  expect(await eventTypesOf([...PAYMENT_EVENT_TYPES])).toEqual([...PAYMENT_EVENT_TYPES]);
});

it('an endpoint receives the checked event types when one is unchecked without JavaScript', async () => {
  const [first = '', ...others] = PAYMENT_EVENT_TYPES;
  expect(await eventTypesOf(['*', ...others])).toEqual(others);
  expect(others).not.toContain(first);
});

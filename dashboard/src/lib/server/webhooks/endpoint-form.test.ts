import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { readEndpointForm } from './endpoint-form.ts';

async function readFields(choice: string, switchedOn: readonly string[]) {
  const body = new URLSearchParams([
    ['url', 'https://shop.example.com'],
    ['event_types_choice', choice],
    ...switchedOn.map((type) => ['event_types', type]),
  ]);
  const form = await readForm(new Request('http://localhost', { method: 'POST', body }));
  return { types: readEndpointForm(form).event_types, errors: form.errors };
}

it('an endpoint receives all event types, including future ones, when the member chooses all, even with hidden switches that are on', async () => {
  expect(await readFields('all', [])).toEqual({ types: ['*'], errors: {} });
  expect(await readFields('all', ['payment.created'])).toEqual({ types: ['*'], errors: {} });
});

it('an endpoint receives the selected event types, and the form is rejected without any', async () => {
  expect((await readFields('some', ['payment.created', 'payment.failed'])).types).toEqual([
    'payment.created',
    'payment.failed',
  ]);
  expect((await readFields('some', [])).errors).toEqual({ event_types: 'Select at least one event type.' });
});

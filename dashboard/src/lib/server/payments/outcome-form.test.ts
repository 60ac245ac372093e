import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { readOutcome } from './outcome-form.ts';

async function read(fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const form = await readForm(new Request('http://dashboard.test', { method: 'POST', body }));
  return { outcome: readOutcome(form), errors: form.errors };
}

it.each(['succeeded', 'expired'])(
  'the form that settles a payment reads the outcome %s, which has no further fields',
  async (outcome) => {
    expect(await read({ outcome })).toEqual({ outcome: { status: outcome }, errors: {} });
  },
);

it('the form that settles a payment reads a standard failure code and ignores the custom fields', async () => {
  expect(await read({ outcome: 'failed', failure: 'declined', custom_code: 'NO' })).toEqual({
    outcome: { status: 'failed', failure: { code: 'declined', message: 'The payment was declined.' } },
    errors: {},
  });
});

it('the form that settles a payment reads a custom failure code', async () => {
  const fields = {
    outcome: 'failed',
    failure: 'custom',
    custom_code: 'card_expired',
    custom_message: 'Expired.',
  };
  expect(await read(fields)).toEqual({
    outcome: { status: 'failed', failure: { code: 'card_expired', message: 'Expired.' } },
    errors: {},
  });
});

it.each([
  [{}, ['outcome']],
  [
    { outcome: 'failed', failure: 'custom', custom_code: 'Card expired', custom_message: 'x' },
    ['custom_code'],
  ],
  [{ outcome: 'failed', failure: 'custom', custom_code: 'x' }, ['custom_message']],
  [{ outcome: 'failed' }, ['custom_code', 'custom_message']],
])('the form that settles a payment rejects %j at the fields %j', async (fields, names) => {
  const { errors } = await read(fields as Record<string, string>);
  expect(Object.keys(errors)).toEqual(names);
});

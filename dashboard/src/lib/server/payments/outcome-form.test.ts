import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { readOutcome } from './outcome-form.ts';

const read = async (fields: Record<string, string>) =>
  readOutcome(
    await readForm(
      new Request('http://dashboard.test', { method: 'POST', body: new URLSearchParams(fields) }),
    ),
  );

it.each(['succeeded', 'expired'])(
  'the form that settles a payment reads the outcome %s, which has no further fields',
  async (outcome) => {
    expect(await read({ outcome })).toEqual({ outcome: { status: outcome } });
  },
);

it('the form that settles a payment reads a standard failure code and ignores the custom fields', async () => {
  expect(await read({ outcome: 'failed', failure: 'declined', custom_code: 'NO' })).toEqual({
    outcome: { status: 'failed', failure: { code: 'declined', message: 'The payment was declined.' } },
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
  const result = await read(fields as Record<string, string>);
  expect(Object.keys('errors' in result ? result.errors : {})).toEqual(names);
});

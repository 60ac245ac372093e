import { describe, expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { readOutcome } from './outcome-form.ts';

const read = async (fields: Record<string, string>) =>
  readOutcome(
    await readForm(
      new Request('http://dashboard.test', { method: 'POST', body: new URLSearchParams(fields) }),
    ),
  );

describe('the form that ends a payment', () => {
  it.each(['succeeded', 'expired'])('says %s with nothing more', async (outcome) => {
    expect(await read({ outcome })).toEqual({ outcome: { status: outcome } });
  });

  it('fails a payment with a usual code, whatever is left in the other fields', async () => {
    expect(await read({ outcome: 'failed', failure: 'declined', custom_code: 'NO' })).toEqual({
      outcome: { status: 'failed', failure: { code: 'declined', message: 'The payment was declined.' } },
    });
  });

  it('fails a payment with a code of its own', async () => {
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
  ])('%j is rejected at the fields %j', async (fields, names) => {
    const result = await read(fields as Record<string, string>);
    expect(Object.keys('errors' in result ? result.errors : {})).toEqual(names);
  });
});

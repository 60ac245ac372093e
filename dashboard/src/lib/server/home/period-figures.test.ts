import type { PaymentSummary } from '@tollgate/contracts/payment-history';
import { describe, expect, it } from 'vitest';
import { periodFigures } from './period-figures.ts';

const summary = {
  statuses: { pending: 1, processing: 2, succeeded: 6, failed: 2, canceled: 4 },
  currencies: [{ currency: 'EUR', payments: 15, succeeded_amount: 1_999 }],
  currency: 'EUR',
} as PaymentSummary;

describe('the figures of a period', () => {
  it('count every payment, and the success rate of settled payments', () => {
    expect(periodFigures(summary)).toEqual({
      payments: 15,
      succeeded: 6,
      failed: 2,
      open: 3,
      successRate: 0.75,
      volume: { amount: 1_999, currency: 'EUR' },
    });
  });

  it('have no success rate and no volume without payments', () => {
    const none = { ...summary, statuses: {}, currencies: [], currency: null } as unknown as PaymentSummary;
    expect(periodFigures(none)).toMatchObject({ payments: 0, successRate: null, volume: null });
  });

  it('show a volume of zero for a currency without succeeded payments', () => {
    expect(periodFigures({ ...summary, currency: 'JPY' }).volume).toEqual({ amount: 0, currency: 'JPY' });
  });
});

import { expect, it } from 'vitest';
import { resentLabel } from './delivery-labels.ts';

it('the result of resending says how many deliveries are queued, and why others are not', () => {
  const pending = { delivery_id: 'dlv_1', reason: 'The delivery is pending.' };
  expect(resentLabel({ resent: ['dlv_2'], not_resent: [] })).toBe('1 delivery queued.');
  expect(resentLabel({ resent: [], not_resent: [pending, pending] })).toBe(
    'No delivery was resent. 2 not resent: The delivery is pending.',
  );
});

import type { Processor } from './processor.ts';

export const MANUAL_PROCESSOR = 'manual';

/**
 * A member settles the payment in the dashboard. Workers only finish a member's decision that a crash interrupted,
 * without calling this processor.
 */
export const manualProcessor: Processor = {
  name: MANUAL_PROCESSOR,
  firstDueAt: () => null,
  async settle(payment) {
    throw new Error(`${payment._id} is being settled manually, but has no recorded outcome`);
  },
};

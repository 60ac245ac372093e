import type { Processor } from './processor.ts';

export const MANUAL_PROCESSOR = 'manual';

/** A member settles in the dashboard. Workers only finish what a member decided and a crash interrupted, without asking here. */
export const manualProcessor: Processor = {
  name: MANUAL_PROCESSOR,
  firstDueAt: () => null,
  async settle(payment) {
    throw new Error(`${payment._id} is being settled by hand but nobody decided`);
  },
};

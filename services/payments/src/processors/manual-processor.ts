import { MANUAL_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { Processor } from './processor.ts';

const CAPACITY = 10;

/**
 * A member settles the payment in the dashboard. Workers only finish a member's decision that a crash interrupted,
 * without calling this processor.
 */
export const manualProcessor: Processor = {
  name: MANUAL_PROCESSOR,
  isBuiltIn: true,
  firstDueAt: () => null,
  start: settledByMember,
  status: settledByMember,
  cancel: settledByMember,
  capacity: () => CAPACITY,
  isAvailable: () => true,
  urlOf: () => null,
};

async function settledByMember({ _id }: PaymentDocument): Promise<never> {
  throw new Error(`The payment ${_id} is being settled manually, but has no recorded outcome`);
}

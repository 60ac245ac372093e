import type { PaymentState } from './payment-state.ts';

const FINAL: readonly string[] = ['succeeded', 'failed', 'canceled'];

/** Whether the state never changes again. */
export function isFinal({ status }: Pick<PaymentState, 'status'>): boolean {
  return FINAL.includes(status);
}

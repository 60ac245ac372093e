import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import { readOneOf } from '../read-arguments.ts';

/** Reads `--events`, a list with commas. Empty without the option. @throws UsageError */
export function readEventTypes(text: string): PaymentEventType[] {
  return text
    .split(',')
    .filter((type) => type !== '')
    .map((type) => readOneOf('--events', PAYMENT_EVENT_TYPES, type));
}

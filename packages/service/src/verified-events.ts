import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import type { Logger } from '@tollgate/runtime/logger';
import type { VerifyMessage } from '@tollgate/security/message-verifier';

/** Returns the events of a reply of payments that payments signed. The others are left out and logged. */
export function verifiedEvents(
  received: readonly unknown[],
  { verifyEvent, logger }: { verifyEvent: VerifyMessage; logger: Logger },
): PaymentEvent[] {
  const reader = openReader(PaymentEvent);
  return received.flatMap((each) => {
    const event = reader.read(each);
    const reason = verifyEvent(each) ?? (event === null ? reader.describeMismatch(each) : null);
    if (reason === null) return event ?? [];
    logger.error({ reason }, 'ignored an event of a reply that fails verification');
    return [];
  });
}

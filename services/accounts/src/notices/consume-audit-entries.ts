import type { Bus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { Logger } from '@tollgate/runtime/logger';
import { withoutSignature } from '@tollgate/security/audit-entry';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { Context } from '../context.ts';
import { storeMessages } from './store-messages.ts';

const CONCURRENCY = 20;
const DURABLE = 'accounts';

/**
 * Stores a message for each audit entry that a person should know of: mails if a mail server is configured, and chat messages for
 * teams that have a chat. An entry is acknowledged when its messages are stored.
 */
export function consumeAuditEntries(
  bus: Bus,
  context: Context,
  { verify, logger }: { verify: VerifyMessage; logger: Logger },
): { stop(): Promise<void> } {
  return consume(bus, {
    stream: 'AUDIT',
    durable: DURABLE,
    concurrency: CONCURRENCY,
    logger,
    schema: AuditEntry,
    verify,
    handle: ({ body }) => storeMessages(context, withoutSignature(body)),
  });
}

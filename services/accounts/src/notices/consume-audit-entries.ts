import { consume } from '@tollgate/bus/consumer';
import { AuditEntry } from '@tollgate/contracts/audit/audit';
import { withoutSignature } from '@tollgate/security/audit-entry';
import type { Context } from '../context.ts';
import { storeMessages } from './store-messages.ts';

const CONCURRENCY = 20;
const DURABLE = 'accounts';

/**
 * Stores a message for each audit entry that a person should know of: mails if a mail server is configured, and chat messages for
 * teams that have a chat. An entry is acknowledged when its messages are stored.
 */
export function consumeAuditEntries(context: Context): { stop(): Promise<void> } {
  const { bus, logger, verifyEntry: verify } = context;
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

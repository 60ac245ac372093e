import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { storeMessages } from './store-messages.ts';

/** Notifies a team that the verification of its audit log failed. Throws `invalid-request` for any other entry. */
export async function notifyOfTampering(context: Context, entry: AuditEntry): Promise<void> {
  // The caller could otherwise write, to anyone, what only other services may.
  if (entry.action !== 'log.verification_failed')
    throw new Problem('invalid-request', 'The entry must be about a verification of the audit log.');
  await storeMessages(context, entry);
}

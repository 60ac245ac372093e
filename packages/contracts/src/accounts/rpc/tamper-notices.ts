import Type from 'typebox';
import { AuditEntry } from '../../audit/audit.ts';
import { rpc } from '../../platform/rpc-contract.ts';
import { closed, Nothing } from './fields.ts';

/**
 * Notifies the team that a verification of its audit log failed. Only the audit service calls it, which publishes no entries. A
 * repeated call with the same entry changes nothing.
 */
export const notifyOfTampering = rpc('accounts', 'notify_of_tampering', {
  caller: 'service',
  request: Type.Object({ entry: AuditEntry }, closed),
  reply: Nothing,
});

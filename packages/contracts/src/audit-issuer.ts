import type { AuditAction } from './audit.ts';
import type { Issuer } from './signature.ts';

type Subject = AuditAction extends `${infer Prefix}.${string}` ? Prefix : never;

/**
 * The service that audits actions on a subject, the part of the action before the dot. `audit` writes its own entries and
 * accepts them from nobody.
 */
const ISSUER_OF_SUBJECT = {
  application: 'applications',
  key: 'applications',
  team: 'accounts',
  invitation: 'accounts',
  member: 'accounts',
  session: 'accounts',
  token: 'accounts',
  webhook_endpoint: 'webhooks',
  delivery: 'webhooks',
  payment: 'payments',
  payments: 'audit',
  audit_records: 'audit',
  usage: 'audit',
} as const satisfies Record<Subject, Issuer | 'audit'>;

/**
 * Returns the only process that may write entries with this action. Null for a subject that only a later release knows:
 * any issuer may write it, so that an audit service that is upgraded late loses nothing.
 */
export function issuerOfAction(action: string): Issuer | 'audit' | null {
  const subject = action.slice(0, action.indexOf('.'));
  return Object.hasOwn(ISSUER_OF_SUBJECT, subject) ? ISSUER_OF_SUBJECT[subject as Subject] : null;
}

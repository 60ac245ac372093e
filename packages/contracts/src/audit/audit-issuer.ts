import type { Issuer } from '../platform/signature.ts';
import type { AuditAction } from './audit.ts';

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
  login: 'accounts',
  webhook_endpoint: 'webhooks',
  delivery: 'webhooks',
  payment: 'payments',
  payments: 'audit',
  sandbox: 'payments',
  audit_records: 'audit',
  usage: 'audit',
  log: 'audit',
} as const satisfies Record<Subject, Issuer | 'audit'>;

/** Actions whose issuers differ from that of their subject. */
const ISSUERS_OF_ACTION: Partial<Record<AuditAction, readonly Issuer[]>> = {
  // A policy about keys, and so kept with them.
  'team.leaked_key_policy_changed': ['applications'],
  // Kept with the payments that it applies to.
  'team.data_retention_changed': ['payments'],
  'team.approval_policy_changed': ['payments'],
};

/**
 * Whether this process may write entries with this action. Any issuer may write about a subject that only a later release
 * knows, so that an audit service that is upgraded late loses nothing.
 */
export function mayWriteAction(issuer: Issuer, action: string): boolean {
  const issuers = ISSUERS_OF_ACTION[action as AuditAction];
  if (issuers) return issuers.includes(issuer);
  const subject = action.slice(0, action.indexOf('.'));
  return !Object.hasOwn(ISSUER_OF_SUBJECT, subject) || ISSUER_OF_SUBJECT[subject as Subject] === issuer;
}

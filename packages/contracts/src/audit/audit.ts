import Type, { type Static } from 'typebox';
import { ACCOUNT_LIMITS } from '../platform/account-limits.ts';
import { EnvironmentSchema, Id, Nullable, Time } from '../platform/schema.ts';
import type { Signature } from '../platform/signature.ts';

/** Catalogue of all audited actions, with the descriptions that the dashboard shows. */
export const AUDIT_ACTIONS = {
  'application.created': 'Application created',
  'application.renamed': 'Application renamed',
  'application.scopes_changed': 'Application scopes changed',
  'application.limits_changed': 'Application rate limits changed',
  'application.labels_changed': 'Application labels changed',
  'application.idempotency_key_requirement_changed': 'Idempotency key requirement changed',
  'application.archived': 'Application archived',
  'application.restored': 'Application restored',
  'application.deleted': 'Application deleted',
  'key.created': 'API key created',
  'key.updated': 'API key changed',
  'key.rotated': 'API key rotated',
  'key.revoked': 'API key revoked',
  'key.expiring': 'API key expires soon',
  'key.leaked': 'API key found in public',
  'key.leak_handled': 'Leak of an API key marked as handled',
  'team.created': 'Team created',
  'team.renamed': 'Team renamed',
  'team.leaked_key_policy_changed': 'Policy for leaked API keys changed',
  'team.data_retention_changed': 'Retention period for personal data changed',
  'team.approval_policy_changed': 'Approval policy for settlements changed',
  'team.chat_changed': 'Chat webhook of the team changed',
  'team.chat_removed': 'Chat webhook of the team removed',
  'team.chat_tested': 'Test message posted to the chat of the team',
  'team.second_factor_policy_changed': 'Requirement of a second factor changed',
  'team.sso_changed': 'Single sign-on changed',
  'team.sso_removed': 'Single sign-on removed',
  'team.sso_domain_added': 'Domain for single sign-on added',
  'team.sso_domain_verified': 'Domain for single sign-on verified',
  'team.sso_domain_removed': 'Domain for single sign-on removed',
  'team.sso_sign_in_failed': 'Sign-in with single sign-on failed',
  'invitation.created': 'Member invited',
  'invitation.link_revealed': 'Invitation link shown again',
  'invitation.resent': 'Invitation email sent again',
  'invitation.revoked': 'Invitation revoked',
  'member.joined': 'Member joined',
  'member.role_changed': 'Member role changed',
  'member.removed': 'Member removed',
  'member.renamed': 'Member name changed',
  'member.email_changed': 'Member email changed',
  'member.mail_changed': 'Choice of email about the team changed',
  'member.signed_in': 'Signed in',
  'member.sign_in_failed': 'Sign-in failed',
  'member.reauthenticated': 'Identity confirmed',
  'member.sso_linked': 'Member linked to an identity for single sign-on',
  'member.password_changed': 'Password changed',
  'member.reset_link_created': 'Password reset link created',
  'member.password_reset': 'Password reset',
  'member.totp_enabled': 'Authenticator app added',
  'member.totp_disabled': 'Authenticator app removed',
  'member.passkey_added': 'Passkey added',
  'member.passkey_renamed': 'Passkey renamed',
  'member.passkey_removed': 'Passkey removed',
  'member.recovery_codes_replaced': 'Recovery codes replaced',
  'member.recovery_code_used': 'Recovery code used to sign in',
  'member.sessions_revoked': 'All sessions ended',
  'session.revoked': 'Session ended',
  'token.created': 'API token created',
  'token.rotated': 'API token rotated',
  'token.revoked': 'API token revoked',
  'token.expiring': 'API token expires soon',
  'token.leaked': 'API token found in public and revoked',
  'login.approved': 'Login of a program approved',
  'login.denied': 'Login of a program denied',
  'webhook_endpoint.created': 'Webhook endpoint created',
  'webhook_endpoint.updated': 'Webhook endpoint updated',
  'webhook_endpoint.enabled': 'Webhook endpoint enabled',
  'webhook_endpoint.disabled': 'Webhook endpoint disabled',
  'webhook_endpoint.deleted': 'Webhook endpoint deleted',
  'webhook_endpoint.failing': 'Webhook endpoint failing, will be disabled soon',
  'webhook_endpoint.secret_rotated': 'Signing secret rotated',
  'webhook_endpoint.secret_revealed': 'Signing secret revealed',
  'webhook_endpoint.recovered': 'Failed deliveries recovered',
  'webhook_endpoint.replayed': 'Missing events replayed',
  'webhook_endpoint.tested': 'Test event sent',
  'delivery.resent': 'Delivery resent',
  'delivery.canceled': 'Delivery canceled',
  'payment.created': 'Payment created',
  'payment.canceled': 'Payment canceled',
  'payment.cancellation_requested': 'Payment cancellation requested',
  'payment.settled': 'Payment settled',
  'payment.settlement_requested': 'Approval of a settlement requested',
  'payment.settlement_approved': 'Settlement approved',
  'payment.settlement_rejected': 'Settlement rejected',
  'payment.settlement_request_expired': 'Request for a settlement expired',
  'payment.simulated': 'Sandbox outcome simulated',
  'payment.expired': 'Payment expired',
  'payment.erased': 'Personal data of a payment erased',
  'payment.stuck': 'Payments stuck at a processor',
  'payment.difference_resolved': 'Difference to the processor resolved',
  'sandbox.reset': 'Sandbox data deleted',
  'payments.exported': 'Payments exported',
  'audit_records.exported': 'Audit records exported',
  'usage.exported': 'Usage exported',
  'log.verification_failed': 'Verification of the audit log failed',
  'log.restored': 'Audit log restored from a backup',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_TARGETS = [
  'application',
  'key',
  'team',
  'invitation',
  'member',
  'session',
  'token',
  'webhook_endpoint',
  'delivery',
  'payment',
  'payments',
  'audit_records',
  'usage',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** `system` is the platform itself, and any actor without a proven identity. `processor` settles payments. */
export const AUDIT_ACTORS = ['member', 'token', 'key', 'processor', 'system'] as const;

const entryFields = {
  id: Id('audit'),
  occurred_at: Time,
  team_id: Id('team'),
  environment: Nullable(EnvironmentSchema),
  actor: Type.Object({
    type: Type.Enum(AUDIT_ACTORS),
    /** Id of the member, token, or key, or name of the processor; null for the system. */
    id: Nullable(Type.String()),
    /** Name at that time; null if the actor has none, or if the service that writes the entry does not know it. */
    name: Nullable(Type.String()),
    /** Session in which the member acted. */
    session_id: Nullable(Id('session')),
  }),
  action: Type.Enum(Object.keys(AUDIT_ACTIONS) as AuditAction[]),
  target: Type.Object({ type: Type.Enum(AUDIT_TARGETS), id: Type.String(), name: Nullable(Type.String()) }),
  /** Application that is or owns the target; null if there is none. */
  application_id: Nullable(Id('application')),
  /** Values of allow-listed fields before and after. Never contains secrets. */
  changes: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() })),
  context: Type.Object({
    ip: Nullable(Type.String()),
    user_agent: Nullable(Type.String({ maxLength: ACCOUNT_LIMITS.userAgent })),
    request_id: Nullable(Type.String()),
  }),
};

/** An entry before it is signed, or without its signature. */
export const AuditEntry = Type.Object(entryFields);
export type AuditEntry = Static<typeof AuditEntry>;

/** An audit entry as a service writes it to the outbox of the changed document and publishes it on `audit.<action>`. */
export type SignedAuditEntry = AuditEntry & { signature: Signature };

/** An entry in the audit log. `seq` counts the records of a team from 1, without gaps. */
export const AuditRecord = Type.Object({
  ...entryFields,
  seq: Type.Integer({ minimum: 1 }),
  recorded_at: Time,
});
export type AuditRecord = Static<typeof AuditRecord>;

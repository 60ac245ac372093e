import Type, { type Static } from 'typebox';
import { ACCOUNT_LIMITS } from './account.ts';
import { EnvironmentSchema } from './environment.ts';
import { Id } from './ids.ts';
import { Nullable } from './nullable.ts';
import { Time } from './time.ts';

/** The typed catalogue of what can be audited, with the words the docs show. */
export const AUDIT_ACTIONS = {
  'application.created': 'An application was created',
  'application.renamed': 'An application was renamed',
  'application.scopes_changed': 'The scopes of an application were changed',
  'application.limits_changed': 'The rate limits of an application were changed',
  'application.archived': 'An application was archived',
  'application.restored': 'An application was restored',
  'key.created': 'An API key was created',
  'key.rotated': 'An API key was rotated',
  'key.revoked': 'An API key was revoked',
  'team.created': 'A team was created',
  'team.renamed': 'A team was renamed',
  'invitation.created': 'Somebody was invited to the team',
  'invitation.revoked': 'An invitation was revoked',
  'member.joined': 'A member joined the team',
  'member.role_changed': 'The role of a member was changed',
  'member.removed': 'A member was removed from the team',
  'member.renamed': 'A member changed their name',
  'member.signed_in': 'A member signed in',
  'member.sign_in_failed': 'A sign-in as a member failed',
  'member.password_changed': 'A member changed their password',
  'member.reset_link_created': 'A link to reset the password of a member was created',
  'member.password_reset': 'The password of a member was reset by a link',
  'member.totp_enabled': 'A member turned on the second factor',
  'member.totp_disabled': 'A member turned off the second factor',
  'member.recovery_codes_replaced': 'A member replaced their recovery codes',
  'member.recovery_code_used': 'A recovery code was used to sign in',
  'member.sessions_revoked': 'A member ended all their sessions',
  'session.revoked': 'A member ended one of their sessions',
  'webhook_endpoint.created': 'A webhook endpoint was created',
  'webhook_endpoint.updated': 'A webhook endpoint was changed',
  'webhook_endpoint.enabled': 'A webhook endpoint was enabled',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted',
  'webhook_endpoint.failing': 'A webhook endpoint has been failing and will be disabled soon',
  'webhook_endpoint.secret_rotated': 'The signing secret of a webhook endpoint was rotated',
  'webhook_endpoint.secret_revealed': 'A member asked to see the signing secret of a webhook endpoint',
  'webhook_endpoint.recovered': 'Failed deliveries of a webhook endpoint were sent again',
  'webhook_endpoint.replayed': 'Missing deliveries of a webhook endpoint were sent',
  'webhook_endpoint.tested': 'A test event was sent to a webhook endpoint',
  'delivery.resent': 'A delivery was sent again',
  'delivery.canceled': 'A delivery was canceled',
  'payment.created': 'A payment was created',
  'payment.canceled': 'A payment was canceled',
  'payment.settled': 'A member settled a payment',
  'payment.simulated': 'A member brought a sandbox payment to an end',
  'payment.expired': 'A payment was canceled because nobody settled it in time',
  'payments.exported': 'A member exported payments',
  'audit_records.exported': 'A member exported audit records',
  'usage.exported': 'A member exported usage',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_TARGETS = [
  'application',
  'key',
  'team',
  'invitation',
  'member',
  'session',
  'webhook_endpoint',
  'delivery',
  'payment',
  'payments',
  'audit_records',
  'usage',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** `system` is the platform itself, and whoever proved no identity; `processor` settles payments. */
export const AUDIT_ACTORS = ['member', 'key', 'processor', 'system'] as const;

const entryFields = {
  id: Id('audit'),
  occurred_at: Time,
  team_id: Id('team'),
  environment: Nullable(EnvironmentSchema),
  actor: Type.Object({
    type: Type.Enum(AUDIT_ACTORS),
    /** Of the member or key, the name of the processor; null for the system. */
    id: Nullable(Type.String()),
    /** As it was then; null where it has none, or is not known where the entry is made. */
    name: Nullable(Type.String()),
    /** The session that a member acted in. */
    session_id: Nullable(Id('session')),
  }),
  action: Type.Enum(Object.keys(AUDIT_ACTIONS) as AuditAction[]),
  target: Type.Object({
    type: Type.Enum(AUDIT_TARGETS),
    id: Type.String(),
    name: Nullable(Type.String()),
  }),
  /** The application that the target is, or belongs to; null where there is none. */
  application_id: Nullable(Id('application')),
  /** Before and after of allow-listed fields; secrets never. */
  changes: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() })),
  context: Type.Object({
    ip: Nullable(Type.String()),
    user_agent: Nullable(Type.String({ maxLength: ACCOUNT_LIMITS.userAgent })),
    request_id: Nullable(Type.String()),
  }),
};

/** An audit entry as a service writes it into the outbox of the document that changed, and publishes it on `audit.<action>`. */
export const AuditEntry = Type.Object(entryFields);
export type AuditEntry = Static<typeof AuditEntry>;

/** An entry as the audit log holds it. `seq` counts the records of a team from 1, without gaps. */
export const AuditRecord = Type.Object({
  ...entryFields,
  seq: Type.Integer({ minimum: 1 }),
  recorded_at: Time,
});
export type AuditRecord = Static<typeof AuditRecord>;

import Type, { type Static } from 'typebox';
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
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** An audit entry as a service writes it into the outbox of the document that changed, and publishes it on `audit.<action>`. */
export const AuditEntry = Type.Object({
  id: Id('audit'),
  occurred_at: Time,
  team_id: Id('team'),
  environment: Nullable(EnvironmentSchema),
  actor: Type.Object({ type: Type.Enum(['member', 'system'] as const), id: Nullable(Type.String()) }),
  action: Type.Enum(Object.keys(AUDIT_ACTIONS) as AuditAction[]),
  target: Type.Object({
    type: Type.Enum(['application', 'key', 'team', 'invitation', 'member', 'session'] as const),
    id: Type.String(),
    name: Nullable(Type.String()),
  }),
  /** Before and after of allow-listed fields; secrets never. */
  changes: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() })),
  context: Type.Object({ ip: Nullable(Type.String()) }),
});
export type AuditEntry = Static<typeof AuditEntry>;

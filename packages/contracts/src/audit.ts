import Type, { type Static } from 'typebox';
import { EnvironmentSchema } from './environment.ts';
import { Id } from './ids.ts';
import { Nullable } from './nullable.ts';
import { Time } from './time.ts';

/** The typed catalogue of what can be audited, with the words the docs show. */
export const AUDIT_ACTIONS = {
  'application.created': 'An application was created',
  'application.scopes_changed': 'The scopes of an application were changed',
  'application.limits_changed': 'The rate limits of an application were changed',
  'application.archived': 'An application was archived',
  'application.restored': 'An application was restored',
  'key.created': 'An API key was created',
  'key.rotated': 'An API key was rotated',
  'key.revoked': 'An API key was revoked',
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
    type: Type.Enum(['application', 'key'] as const),
    id: Type.String(),
    name: Nullable(Type.String()),
  }),
  /** Before and after of allow-listed fields; secrets never. */
  changes: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() })),
  context: Type.Object({ ip: Nullable(Type.String()) }),
});
export type AuditEntry = Static<typeof AuditEntry>;

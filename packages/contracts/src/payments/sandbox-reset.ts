import Type, { type Static } from 'typebox';
import { ClosedObject, Id, Nullable, Time, TimeOf } from '../platform/schema.ts';
import { Signature } from '../platform/signature.ts';

/** A deletion of all sandbox data that a team created before it was requested. */
export const SandboxReset = Type.Object({
  id: Id('sandboxReset'),
  status: Type.Enum(['in_progress', 'completed'] as const, {
    description: '`completed` once all data is deleted',
  }),
  requested_at: TimeOf(
    'When it was requested. Payments that were created before are deleted, later ones stay',
  ),
  completed_at: Nullable(TimeOf('When all data was deleted'), 'Null while it is in progress'),
});
export type SandboxReset = Static<typeof SandboxReset>;

/** What payments tells another service to delete. It names no environment: only sandbox data is ever deleted. */
export const SandboxResetOrder = ClosedObject({
  team_id: Id('team'),
  created_before: Time,
  signature: Signature,
});

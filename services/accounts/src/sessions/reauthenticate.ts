import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { reauthenticate as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { created, sessionAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { requirePasskey } from '../passkeys/use-passkey.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { invalidSession } from './invalid-session.ts';
import { whileNotRevoked } from './session-store.ts';

/** What proves the identity of a signed-in member: exactly one of the fields. */
type Proof = Static<typeof contract.request>;

/**
 * Records that the member confirmed their identity in this session, for actions that need a recent authentication. Returns the time.
 * Throws `forbidden`, `invalid-request`, `invalid-session`, `sso-required`, `too-many-attempts`, `unavailable`, and `conflict` for a
 * password of a member without one.
 */
export async function reauthenticate(context: Context, actor: MemberActor, proof: Proof): Promise<Date> {
  const acting = await findActingMember(context, actor);
  await requirePasswordAllowed(context, acting);
  const { member } = acting;
  const method = await requireProof(context, actor, member, proof);
  const session = await context.sessions.find(member.team_id, member._id, actor.session_id);
  const now = new Date(context.clock.now());
  if (!session) throw invalidSession();
  const changes = { method: created(method) };
  const entry = sessionAuditEntry('member.reauthenticated', actorAuthor(actor), session, now, changes);
  const set = { authenticated_at: now };
  if (!(await recordAudited(context, context.sessions, whileNotRevoked(session), entry, set)))
    throw invalidSession();
  return now;
}

/** Returns how the member proved their identity. */
async function requireProof(
  context: Context,
  actor: MemberActor,
  member: Member,
  { current_password, passkey }: Proof,
): Promise<'password' | 'passkey'> {
  if (current_password !== undefined && passkey === undefined) {
    await requirePassword(context, actor, member, current_password);
    return 'password';
  }
  if (passkey !== undefined && current_password === undefined) {
    await requirePasskey(context, member, passkey);
    return 'passkey';
  }
  throw new Problem('invalid-request', 'Send one proof of your identity: `current_password` or `passkey`.');
}

import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { PasskeyAssertion } from '@tollgate/contracts/accounts/passkey';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { findActingMember } from '../access/acting-member.ts';
import { created, sessionAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { requirePasskey } from '../passkeys/use-passkey.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { invalidSession } from './invalid-session.ts';

/** What proves the identity of a signed-in member: exactly one of these. */
interface Proof {
  currentPassword: string | undefined;
  passkey: PasskeyAssertion | undefined;
}

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
  const audit = signAuditEntry(
    context.signer,
    sessionAuditEntry('member.reauthenticated', actorAuthor(actor), session, now, changes),
  );
  if (!(await context.sessions.recordAuthentication(session, now, audit))) throw invalidSession();
  context.audit.enqueue([auditMessage(session.id, audit)]);
  return now;
}

/** Returns how the member proved their identity. */
async function requireProof(
  context: Context,
  actor: MemberActor,
  member: Member,
  { currentPassword, passkey }: Proof,
): Promise<'password' | 'passkey'> {
  if (currentPassword !== undefined && passkey === undefined) {
    await requirePassword(context, actor, member, currentPassword);
    return 'password';
  }
  if (passkey !== undefined && currentPassword === undefined) {
    await requirePasskey(context, member, passkey);
    return 'passkey';
  }
  throw new Problem('invalid-request', 'Send one proof of your identity: `current_password` or `passkey`.');
}

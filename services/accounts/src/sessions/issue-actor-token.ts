import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { Context } from '../context.ts';
import { isTouchDue } from '../last-use.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { digestToken } from '../opaque-token.ts';
import type { Origin } from '../origin.ts';
import { isSetUpOverdue, requireSetUp } from '../second-factor/require-set-up.ts';
import { roleIn } from '../teams/team.ts';
import { invalidSession } from './invalid-session.ts';
import { isLive, type Session } from './session.ts';

export interface IssuedActorToken extends MemberInTeam {
  actorToken: string;
  requiresProof: boolean;
  session: Session;
}

/**
 * Exchanges a session for an actor token for these RPCs, or for all RPCs that `proofKey` proves, with a lifetime of at most a minute
 * and the current role: a removed member gets no token, and a demoted one a token with the lower role. Throws `invalid-session`,
 * `second-factor-setup-required`.
 */
export async function issueActorToken(
  context: Context,
  {
    sessionToken,
    isUse,
    subjects,
    proofKey,
    ...origin
  }: { sessionToken: string; isUse: boolean; subjects: string[]; proofKey: string | null } & Origin,
): Promise<IssuedActorToken> {
  const session = await context.sessions.findByToken(digestToken(sessionToken));
  if (!session) throw invalidSession();
  const [member, team] = await Promise.all([
    context.members.find(session.team_id, session.member_id),
    context.teams.find(session.team_id),
  ]);
  const now = new Date(context.clock.now());
  const role = team && roleIn(team, session.member_id);
  if (!member || !role || !isLive(session, member.session_epoch, now)) throw invalidSession();
  requireSetUp(team, member, subjects, now);
  if (isUse && isTouchDue(session, now))
    await context.sessions.touch(session, { address: origin.address, at: now });

  const actor: MemberActor = {
    type: 'member',
    member_id: member._id,
    team_id: member.team_id,
    role,
    address: origin.address,
    session_id: session._id,
    authenticated_at: session.authenticated_at.toISOString(),
    name: member.name,
    user_agent: origin.user_agent,
    request_id: origin.request_id,
  };
  // A member who must set up a second factor gets a token for nothing else.
  const requiresProof = proofKey !== null && !isSetUpOverdue(team, member, now);
  const actorToken = await context.signActor(actor, requiresProof ? { proofKey } : subjects);
  return { actorToken, requiresProof, session, member, role };
}

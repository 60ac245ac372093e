import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from './context.ts';
import { completeSetUp } from './installation/set-up.ts';
import { becomeActive } from './invitations/accept-invitation.ts';
import type { Member } from './members/member.ts';
import { finishRemoval } from './members/remove-member.ts';
import { roleIn, type Team } from './teams/team.ts';
import type { Removal } from './teams/team-store.ts';

const BATCH_SIZE = 100;
/** The clocks of instances differ: an invitation that has expired here may still be accepted elsewhere for a moment. */
const EXPIRY_MARGIN_MS = HOUR_MS;

/**
 * Finishes operations that a crash interrupted between two writes. Each was decided before the crash, so repeating it
 * is safe. A failing one does not block the others.
 *
 * @throws AggregateError with every failure, once everything else is finished
 */
export async function reconcile(context: Context): Promise<void> {
  const failures: unknown[] = [];
  const attempt = (finish: () => Promise<void>) => finish().catch((error: unknown) => failures.push(error));
  await attempt(() => completeSetUp(context));
  for await (const removal of unfinishedRemovals(context))
    await attempt(() => finishRemoval(context, removal));
  for await (const member of joiningMembers(context)) await attempt(() => finishAcceptance(context, member));
  if (failures.length > 0) throw new AggregateError(failures, 'Some changes could not be finished.');
}

async function* unfinishedRemovals({ teams }: Context): AsyncGenerator<Removal> {
  let batch = await teams.findUnfinishedRemovals('', BATCH_SIZE);
  while (batch.length > 0) {
    yield* batch;
    batch = await teams.findUnfinishedRemovals(batch.at(-1)?.team_id ?? '', BATCH_SIZE);
  }
}

async function* joiningMembers({ members }: Context): AsyncGenerator<Member> {
  let batch = await members.findJoining('', BATCH_SIZE);
  while (batch.length > 0) {
    yield* batch;
    batch = await members.findJoining(batch.at(-1)?._id ?? '', BATCH_SIZE);
  }
}

async function finishAcceptance(context: Context, member: Member): Promise<void> {
  const team = await context.teams.find(member.team_id);
  if (team && roleIn(team, member._id)) await becomeActive(context, member);
  else if (!mayStillJoin(team, member, context.clock.now())) await context.members.deleteJoining(member);
}

/**
 * While its invitation exists, the same link can complete the acceptance, so the email stays reserved. A sign-in with single sign-on
 * completes within moments, or the next one does.
 */
function mayStillJoin(team: Team | null, member: Member, nowMs: number): boolean {
  if (member.sso !== null) return member.created_at.getTime() + EXPIRY_MARGIN_MS > nowMs;
  const invitation = team?.invitations.find(({ member_id }) => member_id === member._id);
  return invitation !== undefined && invitation.expires_at.getTime() + EXPIRY_MARGIN_MS > nowMs;
}

import type { Context } from './context.ts';
import { completeSetUp } from './installation/set-up.ts';
import { becomeActive } from './invitations/accept-invitation.ts';
import type { Member } from './members/member.ts';
import { finishRemoval } from './members/remove-member.ts';
import { roleIn, type Team } from './teams/team.ts';

const BATCH_SIZE = 100;
/** Clocks of two instances differ: an invitation that is over here may be accepted there for a moment yet. */
const EXPIRY_MARGIN_MS = 60 * 60 * 1000;

/** Brings to its end what a crash left between two writes. Whatever it repeats has been decided before. */
export async function reconcile(context: Context): Promise<void> {
  await completeSetUp(context);
  await finishRemovals(context);
  await finishAcceptances(context);
}

async function finishRemovals(context: Context): Promise<void> {
  for (const removal of await context.teams.findUnfinishedRemovals(BATCH_SIZE)) {
    await finishRemoval(context, removal);
  }
}

async function finishAcceptances(context: Context): Promise<void> {
  let batch = await context.members.findJoining('', BATCH_SIZE);
  while (batch.length > 0) {
    for (const member of batch) await finishAcceptance(context, member);
    batch = await context.members.findJoining(batch.at(-1)?.id ?? '', BATCH_SIZE);
  }
}

async function finishAcceptance(context: Context, member: Member): Promise<void> {
  const team = await context.teams.find(member.teamId);
  if (team && roleIn(team, member.id)) await becomeActive(context, member);
  else if (!mayStillJoin(team, member, context.clock.now())) await context.members.deleteJoining(member);
}

/** Until its invitation is gone, the same link may bring the acceptance to its end, and the email stays taken for it. */
function mayStillJoin(team: Team | null, member: Member, nowMs: number): boolean {
  const invitation = team?.invitations.find(({ memberId }) => memberId === member.id);
  return invitation !== undefined && invitation.expiresAt.getTime() + EXPIRY_MARGIN_MS > nowMs;
}

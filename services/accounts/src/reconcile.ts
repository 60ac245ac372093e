import { HOUR_MS } from '@tollgate/contracts/durations';
import type { Context } from './context.ts';
import { completeSetUp } from './installation/set-up.ts';
import { becomeActive } from './invitations/accept-invitation.ts';
import type { Member } from './members/member.ts';
import { finishRemoval } from './members/remove-member.ts';
import { roleIn, type Team } from './teams/team.ts';
import type { Removal } from './teams/team-store.ts';

const BATCH_SIZE = 100;
/** Clocks of two instances differ: an invitation that is over here may be accepted there for a moment yet. */
const EXPIRY_MARGIN_MS = HOUR_MS;

/**
 * Finishes what a crash left between two writes. Each piece was decided before the crash, so repeating it is safe.
 * One that fails keeps no other from being finished.
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
    batch = await teams.findUnfinishedRemovals(batch.at(-1)?.teamId ?? '', BATCH_SIZE);
  }
}

async function* joiningMembers({ members }: Context): AsyncGenerator<Member> {
  let batch = await members.findJoining('', BATCH_SIZE);
  while (batch.length > 0) {
    yield* batch;
    batch = await members.findJoining(batch.at(-1)?.id ?? '', BATCH_SIZE);
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

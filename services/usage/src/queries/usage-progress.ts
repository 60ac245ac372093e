import type { usageProgress as contract } from '@tollgate/contracts/rpc/usage';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';

/** How far the team's usage is in minutes. Before there is any, it is complete to no time. */
export async function usageProgress(
  { windows, levels, clock }: Pick<Context, 'windows' | 'levels' | 'clock'>,
  teamId: string,
): Promise<Static<typeof contract.reply>> {
  // Before the query for pending windows: a window that comes between the two is later than it.
  const now = new Date(clock.now());
  const waiting = await windows.waiting(teamId);
  const completeTo =
    waiting.oldestAt ??
    ((await levels.minute.hasAny(teamId)) || (await levels.day.hasAny(teamId)) ? now : null);
  return { complete_to: completeTo?.toISOString() ?? null, windows_to_roll_up: waiting.windows };
}

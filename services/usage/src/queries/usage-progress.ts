import type { usageProgress as contract } from '@tollgate/contracts/usage/rpc';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';

/** The time up to which the team's minutes are complete. Without any usage, there is none. */
export async function usageProgress(
  { windows, levels, clock }: Pick<Context, 'windows' | 'levels' | 'clock'>,
  teamId: string,
): Promise<Static<typeof contract.reply>> {
  // Read before the waiting windows are: a window that arrives in between is later than this time.
  const now = new Date(clock.now());
  const waiting = await windows.waiting(teamId);
  const completeTo =
    waiting.oldestAt ??
    ((await levels.minute.hasAny(teamId)) || (await levels.day.hasAny(teamId)) ? now : null);
  return { complete_to: completeTo?.toISOString() ?? null, windows_to_roll_up: waiting.windows };
}

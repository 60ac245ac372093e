import type { Context } from '../context.ts';
import type { RecomputeDeps } from './recompute.ts';
import { rollUpLevel } from './roll-up-level.ts';
import { rollUpWindows } from './roll-up-windows.ts';

/**
 * Adds all waiting windows to minutes, then hours, then days. Nothing is incremented: each point is recomputed from all
 * its inputs, so that the next run repairs one that crashed, ran twice, or ran beside another.
 */
export async function rollUp(context: RecomputeDeps & Pick<Context, 'windows' | 'levels'>): Promise<void> {
  const { minute, hour, day } = context.levels;
  while ((await rollUpWindows(context)) > 0);
  while ((await rollUpLevel(context, minute, hour)) > 0);
  while ((await rollUpLevel(context, hour, day)) > 0);
}

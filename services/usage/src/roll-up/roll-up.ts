import type { WindowStore } from '../windows/window-store.ts';
import type { Levels } from './levels.ts';
import type { RecomputeDeps } from './recompute.ts';
import { rollUpLevel } from './roll-up-level.ts';
import { rollUpWindows } from './roll-up-windows.ts';

/**
 * Adds all waiting windows to minutes, then hours, then days. Nothing is incremented: each point is recomputed from all
 * its inputs, so that the next run repairs one that crashed, ran twice, or ran beside another.
 */
export async function rollUp(deps: RecomputeDeps & { windows: WindowStore; levels: Levels }): Promise<void> {
  const { windows, levels } = deps;
  const { minute: minutes, hour: hours, day: days } = levels;
  while ((await rollUpWindows({ ...deps, windows, minutes })) > 0);
  while ((await rollUpLevel(deps, minutes, hours)) > 0);
  while ((await rollUpLevel(deps, hours, days)) > 0);
}

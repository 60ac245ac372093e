import type { WindowStore } from '../windows/window-store.ts';
import type { Levels } from './levels.ts';
import type { RecomputeDeps } from './recompute.ts';
import { rollUpLevel } from './roll-up-level.ts';
import { rollUpWindows } from './roll-up-windows.ts';

/**
 * Brings everything that waits into minutes, then hours, then days. Nothing is added to what is there: each point is computed anew from all it is
 * made of, so that a run that died, ran twice, or ran beside another is healed by the next.
 */
export async function rollUp(deps: RecomputeDeps & { windows: WindowStore; levels: Levels }): Promise<void> {
  const { windows, levels } = deps;
  const { minute: minutes, hour: hours, day: days } = levels;
  while ((await rollUpWindows({ ...deps, windows, minutes })) > 0);
  while ((await rollUpLevel(deps, minutes, hours)) > 0);
  while ((await rollUpLevel(deps, hours, days)) > 0);
}

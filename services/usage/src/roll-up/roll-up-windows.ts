import type { Context } from '../context.ts';
import { DIVISIONS } from '../periods/granularity.ts';
import type { StoredWindow, WindowStore } from '../windows/window-store.ts';
import { type SeriesPeriod, seriesPeriodId } from './level-store.ts';
import { type RecomputeDeps, recompute, type Sums } from './recompute.ts';
import { addWindowRow, emptySum, type SlotSum } from './slot-sum.ts';

/** Some seconds of fifty gateways. Limits the memory of a run: a window of a busy second has a thousand rows. */
const MAX_WINDOWS = 200;

const { documentOf, slotOf } = DIVISIONS.minute;

/** Adds waiting windows to minutes, oldest first. Resolves to the number of windows, 0 when none is waiting. */
export async function rollUpWindows(
  context: RecomputeDeps & Pick<Context, 'windows' | 'levels'>,
): Promise<number> {
  const { windows, levels } = context;
  const waiting = await windows.listToRollUp(MAX_WINDOWS);
  const byHour = Map.groupBy(waiting, ({ minute }) => documentOf(minute.getTime()));
  for (const ofHour of byHour.values()) {
    const wanted = wantedPoints(ofHour);
    const minutes = new Set(ofHour.map(({ minute }) => minute.getTime()));
    await recompute(
      context,
      levels.minute,
      [...wanted.values()].map(({ period }) => period),
      (periods) => sumMinutes(windows, minutes, wanted, periods),
    );
    await windows.markRolledUp(ofHour);
  }
  return waiting.length;
}

interface WantedPoints {
  period: SeriesPeriod;
  places: Set<number>;
}

/** The documents and minutes in which the windows have requests. */
function wantedPoints(windows: StoredWindow[]): Map<string, WantedPoints> {
  const wanted = new Map<string, WantedPoints>();
  for (const { minute, rows } of windows) {
    for (const row of rows) {
      const period = periodOf(row, minute);
      const id = seriesPeriodId(period);
      const points = wanted.get(id) ?? { period, places: new Set() };
      points.places.add(slotOf(minute.getTime()));
      wanted.set(id, points);
    }
  }
  return wanted;
}

/** Sums every window of these minutes, including those rolled up before. */
async function sumMinutes(
  windows: WindowStore,
  minutes: Iterable<number>,
  wanted: Map<string, WantedPoints>,
  periods: readonly SeriesPeriod[],
): Promise<Sums> {
  const sums: Sums = new Map(periods.map((period) => [seriesPeriodId(period), new Map()]));
  for (const minuteMs of minutes) {
    const place = slotOf(minuteMs);
    for await (const { minute, rows } of windows.listOfMinute(new Date(minuteMs))) {
      const touched = new Set<SlotSum>();
      for (const row of rows) {
        const id = seriesPeriodId(periodOf(row, minute));
        const places = sums.get(id);
        if (!places || !wanted.get(id)?.places.has(place)) continue;
        const sum = places.get(place) ?? emptySum();
        places.set(place, sum);
        addWindowRow(sum, row);
        touched.add(sum);
      }
      for (const sum of touched) sum.windows += 1;
    }
  }
  return sums;
}

function periodOf(row: StoredWindow['rows'][number], minute: Date): SeriesPeriod {
  const { team_id, application_id, environment } = row;
  return { team_id, application_id, environment, at: new Date(documentOf(minute.getTime())) };
}

import type { Division } from '../periods/granularity.ts';
import type { StoredWindow, WindowStore } from '../windows/window-store.ts';
import type { LevelStore } from './level-store.ts';
import { type RecomputeDeps, recompute, type Sums } from './recompute.ts';
import { type SeriesPeriod, seriesPeriodId } from './series.ts';
import { addWindowRow, emptySum, type SlotSum } from './slot-sum.ts';

/** Some seconds of fifty gateways. Limits the memory of a run: a window of a busy second has a thousand rows. */
const MAX_WINDOWS = 200;

/** Adds waiting windows to minutes, oldest first. Resolves to the number of windows, 0 when none is waiting. */
export async function rollUpWindows(
  deps: RecomputeDeps & { windows: WindowStore; minutes: LevelStore },
): Promise<number> {
  const { windows, minutes } = deps;
  const waiting = await windows.listToRollUp(MAX_WINDOWS);
  const byHour = Map.groupBy(waiting, ({ minuteMs }) => minutes.division.documentOf(minuteMs));
  for (const ofHour of byHour.values()) {
    const wanted = wantedPoints(ofHour, minutes.division);
    const minutesMs = [...new Set(ofHour.map(({ minuteMs }) => minuteMs))];
    await recompute(
      deps,
      minutes,
      [...wanted.values()].map(({ period }) => period),
      (periods) => sumMinutes(windows, minutes.division, minutesMs, wanted, periods),
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
function wantedPoints(windows: StoredWindow[], division: Division): Map<string, WantedPoints> {
  const wanted = new Map<string, WantedPoints>();
  for (const { minuteMs, rows } of windows) {
    for (const row of rows) {
      const period = periodOf(row, division.documentOf(minuteMs));
      const id = seriesPeriodId(period);
      const points = wanted.get(id) ?? { period, places: new Set() };
      points.places.add(division.slotOf(minuteMs));
      wanted.set(id, points);
    }
  }
  return wanted;
}

/** Sums every window of these minutes, including those rolled up before. */
async function sumMinutes(
  windows: WindowStore,
  division: Division,
  minutesMs: number[],
  wanted: Map<string, WantedPoints>,
  periods: readonly SeriesPeriod[],
): Promise<Sums> {
  const sums: Sums = new Map(periods.map((period) => [seriesPeriodId(period), new Map()]));
  for (const minuteMs of minutesMs) {
    const place = division.slotOf(minuteMs);
    for await (const { rows } of windows.listOfMinute(minuteMs)) {
      const touched = new Set<SlotSum>();
      for (const row of rows) {
        const id = seriesPeriodId(periodOf(row, division.documentOf(minuteMs)));
        if (!wanted.get(id)?.places.has(place)) continue;
        const sum = sumAt(sums.get(id), place);
        if (!sum) continue;
        addWindowRow(sum, row);
        touched.add(sum);
      }
      for (const sum of touched) sum.windows += 1;
    }
  }
  return sums;
}

function sumAt(places: Map<number, SlotSum> | undefined, place: number): SlotSum | undefined {
  const sum = places?.get(place) ?? emptySum();
  places?.set(place, sum);
  return places && sum;
}

function periodOf(row: StoredWindow['rows'][number], documentMs: number): SeriesPeriod {
  const { team_id, application_id, environment } = row;
  return { teamId: team_id, applicationId: application_id, environment, documentMs };
}

import { type LevelRecord, type LevelStore, type SeriesPeriod, seriesPeriodId } from './level-store.ts';
import { type RecomputeDeps, recompute, type Sums } from './recompute.ts';
import { addSlots, emptySum } from './slot-sum.ts';

const MAX_DOCUMENTS = 200;

/**
 * Adds changed documents of a level to the level above, where each is one point. Resolves to their number. A document
 * that is written in the meantime stays unmarked.
 */
export async function rollUpLevel(
  deps: RecomputeDeps,
  below: LevelStore,
  above: LevelStore,
): Promise<number> {
  const waiting = await below.listToRollUp(MAX_DOCUMENTS);
  const byTarget = Map.groupBy(waiting, (source) => seriesPeriodId(targetOf(source, above)));
  const targets = [...byTarget.values()].map(([source]) => targetOf(source as SeriesPeriod, above));
  /** The documents as they were when they were last added up. */
  const counted = new Map<string, LevelRecord>();

  await recompute(deps, above, targets, async (open) => {
    const sources = open.flatMap((target) => byTarget.get(seriesPeriodId(target)) ?? []);
    const sums: Sums = new Map();
    for (const record of (await below.read(sources)).values()) {
      counted.set(record._id, record);
      const id = seriesPeriodId(targetOf(record, above));
      const places = sums.get(id) ?? new Map();
      const sum = emptySum();
      addSlots(sum, record.slots, record.keys);
      sums.set(id, places.set(above.division.slotOf(record.at.getTime()), sum));
    }
    return sums;
  });
  await below.markRolledUp([...counted.values()]);
  return waiting.length;
}

function targetOf(source: SeriesPeriod, above: LevelStore): SeriesPeriod {
  const { team_id, application_id, environment, at } = source;
  return { team_id, application_id, environment, at: new Date(above.division.documentOf(at.getTime())) };
}

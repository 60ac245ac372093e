import type { Context } from '../context.ts';
import { type LevelRecord, type LevelStore, type SeriesPeriod, seriesPeriodId } from './level-store.ts';
import { packSum, type SlotSum } from './slot-sum.ts';

/** Attempts, each lost to a concurrent writer. More in a row indicate a fault. */
const MAX_ATTEMPTS = 20;

export type RecomputeDeps = Pick<Context, 'metrics' | 'logger'>;

/** Complete sums of points, by document and index. */
export type Sums = Map<string, Map<number, SlotSum>>;

/**
 * Replaces points of documents by the current sums of their inputs. The version of a document is read before its
 * inputs, and the document is written only if it still has that version. So among concurrent instances, the last writer
 * has read everything that the others had. `readInputs` receives the documents that will be written.
 */
export async function recompute(
  deps: RecomputeDeps,
  level: LevelStore,
  periods: readonly SeriesPeriod[],
  readInputs: (periods: readonly SeriesPeriod[]) => Promise<Sums>,
): Promise<void> {
  let open = periods;
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === MAX_ATTEMPTS)
      throw new Error(
        `${open.length} documents of ${level.division.granularity}s were changed by other instances ${MAX_ATTEMPTS} times in a row.`,
      );
    const records = await level.read(open);
    const sums = await readInputs(open);
    const written = await Promise.all(
      open.map((period) => {
        const id = seriesPeriodId(period);
        return writeSums(deps, level, period, records.get(id), sums.get(id) ?? new Map());
      }),
    );
    open = open.filter((_, index) => !written[index]);
    for (const _ of open) deps.metrics.conflicts.inc();
  }
}

/** Whether the document now holds the sums: it was written, or already had them. */
async function writeSums(
  { metrics, logger }: RecomputeDeps,
  level: LevelStore,
  period: SeriesPeriod,
  record: LevelRecord | undefined,
  sums: Map<number, SlotSum>,
): Promise<boolean> {
  const keys = [...(record?.keys ?? [])];
  const slots = new Map(record?.slots);
  let isChanged = false;
  for (const [place, sum] of sums) {
    const before = slots.get(place);
    if (before && sum.windows < before.windows) {
      metrics.incompleteMinutes.inc();
      const at = new Date(level.division.pointAt(period.at.getTime(), place)).toISOString();
      logger.error(
        { application_id: period.application_id, window_at: at },
        'usage windows of a minute have expired; late windows were not added to its total',
      );
      continue;
    }
    const after = packSum(sum, keys);
    if (before?.windows === after.windows && Buffer.compare(before.rows, after.rows) === 0) continue;
    slots.set(place, after);
    isChanged = true;
  }
  return !isChanged || level.write({ ...period, version: record?.version ?? 0, keys, slots });
}

/** A long step, as a fraction of all columns. */
const LONG_STEP = 0.1;

/**
 * The column that a key leads to, as in a slider; null for any other key. Without a current column, it begins at the
 * last one.
 */
export function stepColumn(key: string, current: number | null, columns: number): number | null {
  const last = columns - 1;
  const from = current ?? last;
  const long = Math.max(1, Math.round(columns * LONG_STEP));
  const targets: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    PageDown: from - long,
    PageUp: from + long,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? null : Math.min(Math.max(target, 0), last);
}

import type { Comparison } from './benchmark.ts';
import { type Spread, spreadOf } from './statistics.ts';

/** One subject of a comparison. */
export interface ComparisonRow {
  subject: string;
  figure: Spread;
  /** To the baseline, round by round. */
  ratio: Spread;
  aim: Aim | null;
}

export interface Aim {
  /** Such as `≤ 0.85`. */
  text: string;
  /** Whether the median ratio meets it. */
  isMet: boolean;
}

export function comparisonRows(comparison: Comparison): ComparisonRow[] {
  const { figures, baseline } = comparison;
  const base = figures[baseline];
  if (base === undefined) throw new Error(`${comparison.title} has no figures of ${baseline}.`);
  return Object.entries(figures).map(([subject, values]) => {
    const ratio = spreadOf(values.map((value, round) => value / (base[round] ?? Number.NaN)));
    return { subject, figure: spreadOf(values), ratio, aim: aimOf(comparison, subject, ratio.median) };
  });
}

function aimOf({ aim }: Comparison, subject: string, ratio: number): Aim | null {
  if (aim === undefined || aim.subject !== subject) return null;
  return 'atMost' in aim
    ? { text: `≤ ${aim.atMost}`, isMet: ratio <= aim.atMost }
    : { text: `≥ ${aim.atLeast}`, isMet: ratio >= aim.atLeast };
}

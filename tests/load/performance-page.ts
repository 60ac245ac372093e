import { readFileSync, writeFileSync } from 'node:fs';
import { comparisonTable } from './comparison-table.ts';
import type { RecordedRun } from './recorded-results.ts';

export const PAGE = new URL('../../docs/performance.md', import.meta.url);
const START = '<!-- Generated from performance.json: npm run bench -- --record -->';
const END = '<!-- End of the results -->';

/** What the page contains for these runs. */
export function renderResults(runs: readonly RecordedRun[]): string {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.split(START)[0], page.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error('docs/performance.md lacks its markers.');
  const table = comparisonTable(runs.flatMap(({ comparisons }) => comparisons));
  return `${before}${START}\n\n${table}\n\n${measuredOn(runs)}\n\n${END}${after}`;
}

/** The machines, each with the benchmarks that it ran. */
function measuredOn(runs: readonly RecordedRun[]): string {
  const machines = Map.groupBy(runs, ({ machine }) => machine);
  const lines = [...machines].map(([machine, measured]) => {
    const benchmarks = measured.map(({ benchmark, date }) => `\`${benchmark}\` on ${date}`);
    return `- ${machine}: ${benchmarks.join(', ')}`;
  });
  return lines.join('\n');
}

export function writeResults(runs: readonly RecordedRun[]): void {
  writeFileSync(PAGE, renderResults(runs));
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { comparisonTable } from './comparison-table.ts';
import { ratioPlot } from './ratio-plot.ts';
import type { RecordedRun } from './recorded-results.ts';

const PAGE = new URL('../../docs/performance.md', import.meta.url);
const PLOTS = new URL('../../docs/images/performance/', import.meta.url);
const START = '<!-- Start of the results: npm run bench -- --record -->';
const END = '<!-- End of the results -->';

/** What the page and the plots contain for these runs, by file. */
export function renderResults(runs: readonly RecordedRun[]): Map<URL, string> {
  const sections = runs.map(
    ({ benchmark, date, machine, comparisons }) =>
      `${comparisons.map(comparisonTable).join('\n')}\n![Ratios of ${benchmark}](images/performance/${benchmark}.svg)\n\nMeasured on ${date}: ${machine}.\n`,
  );
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.split(START)[0], page.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error('docs/performance.md lacks its markers.');
  return new Map([
    [PAGE, `${before}${START}\n\n${sections.join('\n')}\n${END}${after}`],
    ...runs.map(({ benchmark, comparisons }): [URL, string] => [
      new URL(`${benchmark}.svg`, PLOTS),
      ratioPlot(comparisons),
    ]),
  ]);
}

export function writeResults(runs: readonly RecordedRun[]): void {
  mkdirSync(PLOTS, { recursive: true });
  for (const [file, content] of renderResults(runs)) writeFileSync(file, content);
}

import type { Comparison } from './benchmark.ts';
import { comparisonRows } from './comparison-rows.ts';
import type { Spread } from './statistics.ts';

const HEADER =
  '| Subject | Median | Min–max | Ratio | Min–max | Aim |\n| --- | ---: | ---: | ---: | ---: | --- |';

/** A Markdown table under a heading of level 3. */
export function comparisonTable(comparison: Comparison): string {
  const rows = comparisonRows(comparison).map(({ subject, figure, ratio, aim }) => {
    const isBaseline = subject === comparison.baseline;
    const cells = [
      subject,
      inDigits(figure.median),
      range(figure),
      isBaseline ? '1' : ratio.median.toFixed(2),
      isBaseline ? '' : `${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
      aim === null ? '' : `${aim.text}, ${aim.isMet ? 'met' : 'missed'}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `### ${comparison.title}\n\n${comparison.figure}:\n\n${HEADER}\n${rows.join('\n')}\n`;
}

function range({ min, max }: Spread): string {
  return `${inDigits(min)}–${inDigits(max)}`;
}

/** With three digits that matter, and in whole numbers from 100. */
function inDigits(value: number): string {
  return value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });
}

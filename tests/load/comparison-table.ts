import type { Comparison } from './benchmark.ts';
import { comparisonRows } from './comparison-rows.ts';

const HEADER = '| subject | median | ratio (min–max) |\n|---|---:|---|';

/** A Markdown table with one or several comparisons, each under a row with its title. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  return [HEADER, ...comparisons.flatMap(rowsOf)].join('\n');
}

function rowsOf(comparison: Comparison): string[] {
  const rows = comparisonRows(comparison).map(({ subject, figure, ratio, aim }) => {
    const range = `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`;
    const cells = [
      subject,
      inDigits(figure.median),
      subject === comparison.baseline ? '1' : range,
      ...(aim === null ? [] : [`aim ${aim.text}, ${aim.isMet ? 'met' : 'missed'}`]),
    ];
    return `| ${cells.slice(0, 2).join(' | ')} | ${cells.slice(2).join(', ')} |`;
  });
  return [`| **${comparison.title}**, ${comparison.figure} | | |`, ...rows];
}

/** With three digits that matter, and in whole numbers from 100. */
function inDigits(value: number): string {
  return value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });
}

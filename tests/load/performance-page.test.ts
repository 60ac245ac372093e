import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Comparison } from './benchmark.ts';
import { comparisonRows } from './comparison-rows.ts';
import { comparisonTable } from './comparison-table.ts';
import { PAGE, renderResults } from './performance-page.ts';
import { readRecordedRuns } from './recorded-results.ts';

const COMPARISON: Comparison = {
  title: 'Read a payment',
  figure: 'CPU per request (µs)',
  figures: { bare: [100, 200, 1_000], tollgate: [90, 170, 700] },
  baseline: 'bare',
  aim: { subject: 'tollgate', atMost: 0.85 },
};

it('a comparison divides by the baseline of the same round', () => {
  const [bare, tollgate] = comparisonRows(COMPARISON);
  expect(bare?.ratio).toEqual({ median: 1, min: 1, max: 1 });
  expect(tollgate?.figure).toEqual({ median: 170, min: 90, max: 700 });
  expect(tollgate?.ratio).toEqual({ median: 0.85, min: 0.7, max: 0.9 });
  expect(tollgate?.aim).toEqual({ text: '≤ 0.85', isMet: true });
});

it('a comparison misses its aim when the median ratio is beyond it', () => {
  const isMet = (aim: Comparison['aim']) => comparisonRows({ ...COMPARISON, aim })[1]?.aim?.isMet;
  expect(isMet({ subject: 'tollgate', atMost: 0.84 })).toBe(false);
  expect(isMet({ subject: 'tollgate', atLeast: 0.86 })).toBe(false);
  expect(isMet({ subject: 'tollgate', atLeast: 0.85 })).toBe(true);
});

it('a comparison is rejected without figures of its baseline', () => {
  expect(() => comparisonRows({ ...COMPARISON, baseline: 'nginx' })).toThrow(
    'Read a payment has no figures of nginx.',
  );
});

it('a comparison is shown as rows of a table', () => {
  expect(comparisonTable([COMPARISON])).toContain('| tollgate | 170 | 0.85 (0.70–0.90), aim ≤ 0.85, met |');
});

it('docs/performance.md shows the recorded results', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(renderResults(readRecordedRuns()));
});

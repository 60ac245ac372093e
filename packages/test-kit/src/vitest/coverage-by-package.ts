/** Prints the coverage of each package, as the last `npm run coverage` measured it. Code in processes that tests start is not counted. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';

interface Count {
  total: number;
  covered: number;
}

const summary = JSON.parse(
  readFileSync(`${CHECKOUT_DIR}/.cache/coverage/coverage-summary.json`, 'utf8'),
) as Record<string, { lines: Count; branches: Count }>;
const files = Object.entries(summary).filter(([path]) => path !== 'total');
const packages = Map.groupBy(files, ([path]) => relative(CHECKOUT_DIR, path).split('/src/')[0] ?? '');

process.stdout.write('   lines  branches\n');
for (const [folder, covered] of [...packages].toSorted(([one], [other]) => one.localeCompare(other))) {
  const percentages = (['lines', 'branches'] as const).map((kind) =>
    percentage(covered.map(([, counts]) => counts[kind])).padStart(8),
  );
  process.stdout.write(`${percentages.join('  ')}  ${folder}\n`);
}

function percentage(counts: Count[]): string {
  const sum = (of: 'covered' | 'total') => counts.reduce((total, count) => total + count[of], 0);
  const share = sum('total') === 0 ? 1 : sum('covered') / sum('total');
  return `${(share * 100).toFixed(1)} %`;
}

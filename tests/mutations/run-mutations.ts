import { spawnSync } from 'node:child_process';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { MUTATION_VARIABLE, MUTATIONS, type Mutation } from './mutations.ts';

/**
 * Removes each guard in turn, and runs the test that must notice. A guard whose removal is not noticed is a gap of the tests.
 *
 * Usage: node mutations/run-mutations.ts [part of the name of a guard]
 */
const WANTED = process.argv[2] ?? '';
/** What is wrong without a guard stays wrong. */
const CONVERGENCE_MS = 20_000;
const MAX_SHOWN = 160;
/** The same operations and faults in every run. */
const SEED = '1';
/** What differs from the expectation of a test, or its error. */
const FAILURE = /^\+ {3}|Error: /;

let missed = 0;
for (const mutation of MUTATIONS.filter(({ guard }) => guard.includes(WANTED))) {
  const failures = run(mutation);
  const violation = failures.find((line) => mutation.finds.test(line));
  if (violation === undefined) missed += 1;
  const result = violation ?? `NOT NOTICED (${failures[0] ?? 'the test passes'})`;
  process.stdout.write(`${mutation.guard} | ${mutation.test} | ${result.slice(0, MAX_SHOWN)}\n`);
}
process.exitCode = missed === 0 ? 0 : 1;

/** The failures that the test prints. */
function run({ guard, test }: Mutation): string[] {
  const { stdout, stderr } = spawnSync('npx', ['vitest', 'run', test], {
    cwd: CHECKOUT_DIR,
    encoding: 'utf8',
    env: {
      ...process.env,
      NO_COLOR: '1',
      SEED,
      CONVERGENCE_MS: String(CONVERGENCE_MS),
      [MUTATION_VARIABLE]: guard,
    },
  });
  return `${stdout}${stderr}`
    .split('\n')
    .filter((line) => FAILURE.test(line))
    .map((line) => line.replace(/^\+/, '').trim());
}

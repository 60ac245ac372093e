import { randomInt } from 'node:crypto';
import { describe, expect, it, onTestFailed } from 'vitest';
import { report } from '../report.ts';
import type { Violation } from './oracle/judge.ts';
import type { Programme } from './programme.ts';
import { runProgramme } from './run-programme.ts';

const MAX_SEED = 1_000_000_000;
/** Always the same, so that `npm run test:system` fails only when something has changed. */
const SHORT_FORM_SEED = 1;
const START_AND_DRAIN_MS = 240_000;
/** Starting a killed process takes seconds on a busy machine. */
const MAX_FAULT_MS = 15_000;
/** Findings shown per check: a list of thousands says no more than its beginning, and must not hide what another check found. */
const MAX_SHOWN = 5;

const FORM = process.env['FAULTS_FORM'] === 'long' ? 'long' : 'short';

/**
 * Declares the test of a programme. `SEED` and `FAULTS` (how many) replay a run. Without them, a run has as many faults as its form,
 * and each long run has another seed.
 */
export function testProgramme(programme: Programme): void {
  const seed = Number(process.env['SEED'] ?? (FORM === 'long' ? randomInt(MAX_SEED) : SHORT_FORM_SEED));
  const faults = Number(process.env['FAULTS'] ?? programme.faults[FORM]);
  describe(programme.name, () => {
    it(
      `${faults} faults: every guarantee holds`,
      async () => {
        onTestFailed(() => report(replayOf(programme, seed, faults)));
        const { violations, summary, log } = await runProgramme(programme, { seed, faults });
        report(summary);
        if (violations.length > 0) report(`logs of the run: ${log.path} and ${log.processesPath}`);
        const shown = firstOfEachCheck(violations).map(describeViolation);
        // As the message too: that of the assertion alone says only how many there are.
        expect(shown, shown.join('; ')).toEqual([]);
      },
      START_AND_DRAIN_MS + faults * MAX_FAULT_MS,
    );
  });
}

function firstOfEachCheck(violations: Violation[]): Violation[] {
  const byCheck = Map.groupBy(violations, ({ check }) => check);
  return [...byCheck.values()].flatMap((ofCheck) => ofCheck.slice(0, MAX_SHOWN));
}

function describeViolation({ check, detail }: Violation): string {
  return `${check}: ${detail}`;
}

function replayOf({ file }: Programme, seed: number, faults: number): string {
  return `replay with: SEED=${seed} FAULTS=${faults} npm run test:faults -- ${file}`;
}

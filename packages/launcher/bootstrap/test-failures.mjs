import { createInterface } from 'node:readline';

/** Vitest's headings above failures, for example "⎯⎯ Failed Tests 1 ⎯⎯". */
const HEADING = /Failed (Tests|Suites) \d|Unhandled Errors/;
/** Vitest's first line after the failures. */
const TOTALS = /Test Files /;
/** Enough for the failures of several tests; a broken platform fails hundreds. */
const MAX_LINES = 300;

/**
 * Prints the output of a test run as it arrives, and returns its descriptions of failed tests, to be repeated at the end:
 * the end of a long output is what a CI service shows.
 * @param {import('node:stream').Readable} output of vitest, also of several workspaces one after the other
 * @param {(text: string) => void} print
 * @returns {Promise<string[]>} lines
 */
export async function printTests(output, print) {
  const failures = [];
  let isFailure = false;
  for await (const line of createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })) {
    print(`${line}\n`);
    isFailure = isFailure ? !TOTALS.test(line) : HEADING.test(line);
    if (isFailure && failures.length < MAX_LINES) failures.push(line);
  }
  return failures;
}

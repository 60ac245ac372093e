/** Prints one summary of the runs whose results the arguments name: how many tests passed, on which servers, and what failed. */
import { existsSync, readFileSync } from 'node:fs';
import type { RunResult } from './file-times.ts';

const MAX_FAILURES = 100;

const runs = process.argv.slice(2).filter((path) => existsSync(path));
const results = runs.map((path) => JSON.parse(readFileSync(path, 'utf8')) as RunResult);
const failures = results.flatMap((result) => result.failures);
const sum = (of: 'passed' | 'failed') => results.reduce((total, result) => total + result[of], 0);

for (const failure of failures.slice(0, MAX_FAILURES)) process.stdout.write(`FAILED  ${failure}\n`);
if (failures.length > MAX_FAILURES) process.stdout.write(`… and ${failures.length - MAX_FAILURES} more\n`);
for (const servers of new Set(results.map((result) => result.servers)))
  process.stdout.write(`Tests ran on ${servers}.\n`);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);

import { visible } from '../visible.ts';
import type { Finding } from './finding.ts';

const STATUS_WIDTH = 'not checked'.length;

/** A line for each finding, with what to do below a problem, and a summary. */
export function formatFindings(findings: readonly Finding[]): string[] {
  const problems = findings.filter(({ status }) => status === 'problem').length;
  return [
    ...findings.flatMap(({ check, subject, status, message, remedy }) => [
      `${status.padEnd(STATUS_WIDTH)}  ${check}, ${subject}: ${visible(message)}`,
      ...(remedy === undefined ? [] : [`${' '.repeat(STATUS_WIDTH)}  → ${remedy}`]),
    ]),
    '',
    `Problems: ${problems}. Checks: ${findings.length}.`,
  ];
}

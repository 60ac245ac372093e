import { visible } from '../visible.ts';
import type { CheckResult } from './run-checks.ts';

/** One line for each check, with details of those that failed, and a summary. */
export function formatReport(results: readonly CheckResult[]): string[] {
  return [...results.flatMap(resultLines), '', summary(results)].map(visible);
}

function resultLines({ check, rule, outcome, finding, how }: CheckResult): string[] {
  const line = `${outcome.padEnd(12)}${check}`;
  if (how !== undefined) return [line, detail('how', how)];
  if (finding === undefined) return [line];
  const { sentence, sent, expected, received, risk, fix } = finding;
  return [
    line,
    detail('rule', `${rule}: ${sentence}`),
    detail('sent', sent),
    detail('expected', expected),
    detail('received', received),
    detail('risk', risk),
    detail('fix', fix),
  ];
}

function detail(label: string, text: string): string {
  return `${' '.repeat(12)}${label.padEnd(10)}${text}`;
}

function summary(results: readonly CheckResult[]): string {
  const count = (wanted: CheckResult['outcome']) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  const [passed, failed, untested] = [count('passed'), count('failed'), count('not tested')];
  const rules = new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule));
  const verdict =
    failed === 0
      ? `CONFORMS${untested > 0 ? ' in what was tested' : ''}`
      : `DOES NOT CONFORM: breaks ${rules.size} ${rules.size === 1 ? 'rule' : 'rules'}`;
  return `${verdict}. ${passed} passed, ${failed} failed, ${untested} not tested.`;
}

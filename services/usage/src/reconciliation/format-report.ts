import type { Comparison, ResolvedQuestion } from './compare-days.ts';

/** The findings of a run, as text for a terminal. */
export function formatReport(
  days: readonly Comparison[],
  resolved: readonly ResolvedQuestion[],
  leftOut = 0,
): string {
  const unexplained = days.filter(({ difference }) => difference !== 0);
  return [
    table(
      ['day', 'application', 'environment', 'operation', 'payments', 'usage', 'explained', 'difference'],
      days.map((row) => [
        row.day,
        row.application_id,
        row.environment,
        row.operation,
        String(row.payments),
        String(row.usage),
        signed(row.explained),
        signed(row.difference),
      ]),
    ),
    resolved.length === 0
      ? 'No open questions.'
      : `Open questions:\n${table(
          ['completed at', 'request', 'operation', 'reason', 'change'],
          resolved.map(({ question, change }) => [
            question.at,
            question.request_id,
            question.operation,
            question.reason,
            change ? `${change.paymentId} on ${change.day}` : 'none',
          ]),
        )}`,
    ...(leftOut === 0 ? [] : [`Not compared, because the sandbox was reset: ${leftOut} rows.`]),
    unexplained.length === 0
      ? 'Usage and payments agree: every difference is explained.'
      : unexplained.map(differenceText).join('\n'),
  ].join('\n\n');
}

function differenceText({ day, application_id, environment, operation, difference }: Comparison): string {
  const where = `${day}, ${application_id}, ${environment}, ${operation}`;
  return difference > 0
    ? `DIFFERENCE ${where}: payments has ${difference} more than usage. Either a gateway crashed before it responded, or usage has not arrived yet.`
    : `DIFFERENCE ${where}: usage has ${-difference} more than payments. Payments may have lost changes. Compare with its backup.`;
}

function signed(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] as string).length)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

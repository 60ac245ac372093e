import { USAGE_OPERATIONS, USAGE_OUTCOMES } from '@tollgate/contracts/usage';
import type { UsageCaller, UsageRecord } from './usage-record.ts';
import { createWindowCounts, type WindowCounts } from './window-counts.ts';

/**
 * A window as lines of text: `w <second>` once, `k <index> <caller>` once per caller, `r <caller's index> <operation>
 * <outcome> <µs>` per request, `q <JSON>` per open question. The lines are short because there is one per request.
 */
export function createWindowWriter(at: Date): { firstLine: string; linesOf(record: UsageRecord): string } {
  const indexes = new Map<string, number>();

  return {
    firstLine: `w ${at.toISOString()}\n`,
    linesOf({ caller, operation, outcome, durationUs, question }) {
      const { key_id, environment } = caller;
      let lines = '';
      let index = indexes.get(key_id);
      if (index === undefined) {
        index = indexes.size;
        indexes.set(key_id, index);
        lines = `k ${index} ${caller.team_id} ${caller.application_id} ${key_id} ${environment}\n`;
      }
      lines += `r ${index} ${USAGE_OPERATIONS.indexOf(operation)} ${USAGE_OUTCOMES.indexOf(outcome)} ${durationUs}\n`;
      if (question) lines += `q ${JSON.stringify({ ...caller, operation, outcome, ...question })}\n`;
      return lines;
    },
  };
}

/**
 * Counts the lines of a window. An incomplete last line is from a write that SIGKILL cut off: its requests got no
 * response. Returns null if even the first line is incomplete. Throws for lines that no writer produces.
 */
export function readWindow(text: string): { at: Date; counts: WindowCounts } | null {
  const lines = text.split('\n').slice(0, -1);
  const [first, ...rest] = lines;
  if (first === undefined) return null;
  const at = new Date(first.slice(2));
  const counts = createWindowCounts();
  const callers: UsageCaller[] = [];
  for (const line of rest) {
    const [kind, ...words] = line.split(' ');
    if (kind === 'k') callers.push(callerOf(words));
    else if (kind === 'r') counts.add(recordOf(words, callers));
    else if (kind === 'q') counts.ask(JSON.parse(line.slice(2)));
    else throw new Error(`The window file has a line of the unknown type ${JSON.stringify(kind)}.`);
  }
  return { at, counts };
}

function callerOf([, team_id, application_id, key_id, environment]: string[]): UsageCaller {
  return { team_id, application_id, key_id, environment } as UsageCaller;
}

function recordOf([index, operation, outcome, durationUs]: string[], callers: UsageCaller[]) {
  const caller = callers[Number(index)];
  const named = { operation: USAGE_OPERATIONS[Number(operation)], outcome: USAGE_OUTCOMES[Number(outcome)] };
  if (!caller || !named.operation || !named.outcome)
    throw new Error('The window file has an undefined caller, operation, or outcome.');
  return { caller, operation: named.operation, outcome: named.outcome, durationUs: Number(durationUs) };
}

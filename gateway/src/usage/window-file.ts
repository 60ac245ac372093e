import { parseRequestLine, REQUEST_LINE_FIELDS } from '@tollgate/contracts/usage/request-line';
import type { UsageCaller } from './usage-record.ts';
import { type Added, createWindowCounts, type WindowCounts } from './window-counts.ts';

/**
 * A window as lines of text: `w <second>` once, `k <index> <caller>` once per caller, `r <request-line> [<JSON>]` per request
 * with its errors, `q <JSON>` per open question. A reader ignores words at the end of a line that it does not know.
 */
export function firstLineOf(at: Date): string {
  return `w ${at.toISOString()}\n`;
}

/** The lines of a request that was added to the counts of a window. */
export function linesOf(caller: UsageCaller, { line, errors, newCaller, question }: Added): string {
  const { team_id, application_id, key_id, environment } = caller;
  const callerLine =
    newCaller === null ? '' : `k ${newCaller} ${team_id} ${application_id} ${key_id} ${environment}\n`;
  const errorsWord = errors.length === 0 ? '' : ` ${JSON.stringify(errors)}`;
  return `${callerLine}r ${line}${errorsWord}\n${question ? `q ${JSON.stringify(question)}\n` : ''}`;
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
    const content = line.slice(2);
    if (line.startsWith('k ')) callers.push(callerOf(content.split(' ')));
    else if (line.startsWith('r ')) readRequest(content, callers, counts);
    else if (line.startsWith('q ')) counts.ask(JSON.parse(content));
    else throw new Error(`The window file has a line of the unknown type ${JSON.stringify(line[0])}.`);
  }
  return { at, counts };
}

function callerOf([, team_id, application_id, key_id, environment]: string[]): UsageCaller {
  return { team_id, application_id, key_id, environment } as UsageCaller;
}

function readRequest(text: string, callers: UsageCaller[], counts: WindowCounts): void {
  const request = parseRequestLine(text);
  // Names in errors have no spaces (see logged-error), so their JSON is one word.
  const errorsWord = text.split(' ')[REQUEST_LINE_FIELDS];
  const errors = errorsWord === undefined ? [] : JSON.parse(errorsWord);
  counts.add({ ...request, caller: callerAt(callers, request.caller), errors, question: null });
}

function callerAt(callers: UsageCaller[], index: number): UsageCaller {
  const caller = callers[index];
  if (!caller) throw new Error('The window file has an undefined caller.');
  return caller;
}

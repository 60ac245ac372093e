import type { Terminal } from './command.ts';

/** Prints a result: as JSON, or as a line for a person. */
export function printResult<Result>(
  result: Result,
  lineOf: (result: Result) => string,
  { json }: { json: boolean },
  { print }: Terminal,
): void {
  print(json ? JSON.stringify(result, null, 2) : lineOf(result));
}

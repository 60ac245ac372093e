import { RequestRejected } from './api/request-rejected.ts';
import { ArgumentError, EXIT_NO, EXIT_USAGE, NegativeResult, type Terminal, UsageError } from './command.ts';

/**
 * Shows why a command failed, and returns its exit code. A person reads standard error. A script with `--json` reads standard output, which
 * then has the error in place of the result.
 */
export function reportError(
  error: unknown,
  { usage, isJson }: { usage: string; isJson: boolean },
  terminal: Terminal,
): number {
  if (isJson) terminal.print(JSON.stringify({ error: fieldsOf(error) }));
  else terminal.printError(error instanceof ArgumentError ? `${error.message}\n\n${usage}` : textOf(error));
  // Never 1, Node's default, for other errors: that is a result.
  return error instanceof NegativeResult ? EXIT_NO : EXIT_USAGE;
}

/** `status`, `code`, `request_id`, and `errors` are those of the response, if the API rejected the request. */
function fieldsOf(error: unknown): object {
  if (!(error instanceof RequestRejected)) return { message: textOf(error) };
  const { title, code, requestId: request_id, errors } = error.problem;
  return {
    message: error.message,
    status: error.status,
    ...(title !== null && { code, request_id }),
    ...(errors.length > 0 && { errors }),
  };
}

/** What is not expected has a stack trace. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof UsageError || error instanceof NegativeResult;
  return isExpected ? error.message : String(error.stack);
}

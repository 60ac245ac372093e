import { isId } from '@tollgate/contracts/platform/ids';
import type { LoggedError } from '@tollgate/contracts/usage/logged-error';
import { parseRequestLine, type RequestLine } from '@tollgate/contracts/usage/request-line';
import type { UsageWindow, WindowLog } from '@tollgate/contracts/usage/usage';

type Caller = WindowLog['callers'][number];

/** A request of a window, with its caller and its errors. */
export type WindowRequest = Omit<RequestLine, 'caller'> & { caller: Caller; errors: LoggedError[] };

/** @throws Error for a line that no gateway writes */
export function readLog({ log }: UsageWindow): WindowRequest[] {
  const { callers, lines } = log;
  const errors = new Map(log.errors?.map((entry) => [entry.line, entry.errors]));
  return lines.map((line, index) => {
    const request = parseRequestLine(line);
    const caller = callers[request.caller];
    if (!caller || !isId('request', request.id))
      throw new Error(
        `${JSON.stringify(line)} has no request id, or a caller that the window does not name.`,
      );
    return { ...request, caller, errors: errors.get(index) ?? [] };
  });
}

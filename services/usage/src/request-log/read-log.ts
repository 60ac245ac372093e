import { isId } from '@tollgate/contracts/platform/ids';
import { parseRequestLine } from '@tollgate/contracts/usage/request-line';
import type { UsageWindow, WindowLog } from '@tollgate/contracts/usage/usage';

type Caller = WindowLog['callers'][number];

/** A request of a window, with its caller. */
export type WindowRequest = Omit<ReturnType<typeof parseRequestLine>, 'caller'> & { caller: Caller };

/** @throws Error for a line that no gateway writes */
export function readLog({ log }: UsageWindow): WindowRequest[] {
  const { callers, lines } = log;
  return lines.map((line) => {
    const request = parseRequestLine(line);
    const caller = callers[request.caller];
    if (!caller || !isId('request', request.id))
      throw new Error(
        `${JSON.stringify(line)} has no request id, or a caller that the window does not name.`,
      );
    return { ...request, caller };
  });
}

import { type AdminClient, createAdminClient } from '@tollgate/admin-client/admin-client';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { UsageError } from '../command.ts';
import { RequestRejected } from './request-rejected.ts';

/** Longer than the longest wait of the feed, and than the deadlines of the gateway. */
const TIMEOUT_MS = 40 * SECOND_MS;

/** The request got no response, so that its outcome is unknown. */
export class ConnectionFailed extends UsageError {}

/**
 * Its methods throw RequestRejected and ConnectionFailed.
 *
 * @param token null for the few requests that need none
 */
export function createApiClient(
  baseUrl: string,
  token: string | null,
  timeoutMs: number = TIMEOUT_MS,
): AdminClient {
  const { origin } = new URL(baseUrl);
  return createAdminClient({
    baseUrl: origin,
    token,
    timeoutMs,
    onProblem(problem) {
      if (problem.responseStatus !== null) throw new RequestRejected(problem.responseStatus, problem);
      throw new ConnectionFailed(
        `${origin} does not respond: ${textOf(problem.cause as NodeJS.ErrnoException)}. Check that Tollgate runs, and the address.`,
      );
    },
  });
}

/** If each address of a host fails, the error has no message. */
function textOf({ message, code }: NodeJS.ErrnoException): string {
  return message || String(code);
}

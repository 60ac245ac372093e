import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { CheckedFetch } from '@tollgate/outbound/checked-fetch';
import type { CustomFetch } from 'openid-client';

/** For all requests of one step together; below the deadline of an RPC, so that the person gets the reason. */
const DEADLINE_MS = 4 * SECOND_MS;

/** The requests through the returned function share one deadline, which starts with the first. */
export function withDeadline(fetch: CheckedFetch): CustomFetch {
  let deadline: AbortSignal | null = null;
  return (url, { method, headers, body }) => {
    deadline ??= AbortSignal.timeout(DEADLINE_MS);
    // The library sends forms only.
    const text = body === undefined || body === null ? null : String(body);
    return fetch(url, { method, headers, body: text, signal: deadline });
  };
}

import { type ATTEMPT_ERRORS, WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import type { CheckedAgent } from '@tollgate/outbound/checked-agent';
import { type PostResponse, postOnce } from '@tollgate/outbound/post-once';

/** From the first DNS lookup to the last byte of the response. */
export const TOTAL_DEADLINE_MS = 15_000;
const MAX_STORED_HEADERS = 40;
const MAX_STORED_HEADER_LENGTH = 1_024;

export interface SendResult {
  /** Null when no response was received. */
  response: (Omit<PostResponse, 'headers'> & { headers: Record<string, string> }) | null;
  error: { code: (typeof ATTEMPT_ERRORS)[number]; detail: string } | null;
}

/** POSTs a webhook once. Never throws: a failure is a result. */
export async function sendWebhook(
  agent: CheckedAgent,
  {
    deadlineMs = TOTAL_DEADLINE_MS,
    ...wanted
  }: {
    url: string;
    headers: Record<string, string>;
    body: Buffer;
    deadlineMs?: number;
  },
): Promise<SendResult> {
  const maxResponseBytes = WEBHOOK_LIMITS.responseBytes;
  const { response, error } = await postOnce(agent, { ...wanted, deadlineMs, maxResponseBytes });
  if (response === null) return { response, error };
  const headers = storedHeaders(response.headers);
  return { response: { ...response, headers }, error: statusError(response.status) };
}

function statusError(status: number): SendResult['error'] {
  if (status >= 200 && status < 300) return null;
  const detail =
    status >= 300 && status < 400
      ? `The endpoint responded with ${status}. Redirects are not followed. Set the endpoint's URL to the target of the redirect.`
      : `The endpoint responded with ${status}. A delivery succeeds with a 2xx status.`;
  return { code: 'status', detail };
}

function storedHeaders(received: Record<string, string | string[] | undefined>): Record<string, string> {
  const stored: Record<string, string> = {};
  for (const [name, value] of Object.entries(received).slice(0, MAX_STORED_HEADERS)) {
    if (value === undefined || name === '__proto__') continue;
    stored[name] = (Array.isArray(value) ? value.join(', ') : value).slice(0, MAX_STORED_HEADER_LENGTH);
  }
  return stored;
}

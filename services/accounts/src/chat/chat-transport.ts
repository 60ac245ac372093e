import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { hostRejection } from '@tollgate/outbound/host-rejection';
import { type PostResponse, postOnce } from '@tollgate/outbound/post-once';
import { parseRetryAfterMs } from '@tollgate/outbound/retry-after';
import { formRejection, transportRejection } from '@tollgate/outbound/url-form';
import type { Clock } from '@tollgate/runtime/clock';
import { Undelivered } from '../outbox/undelivered.ts';
import { type AllowedNetworks, createOutsideConnections } from '../outside-connections.ts';
import type { ChatText } from './chat-text.ts';

/** Below the deadline of an RPC, so that the reply to a test message says what happened. */
export const CHAT_DEADLINE_MS = 4 * SECOND_MS;
/** Chats explain an error with a word, such as `no_service`. */
const MAX_RESPONSE_BYTES = 1_024;
const MAX_EXPLANATION_LENGTH = 100;
/** Errors of the request that a repetition can overcome (RFC 9110, RFC 6585). */
const TEMPORARY_CLIENT_ERRORS = new Set([408, 425, 429]);

export interface ChatTransport {
  /** Why notices cannot be posted to this URL; null when they can. */
  rejectionOf(url: string): Promise<string | null>;
  /** Resolves when the chat has accepted the message. Throws Undelivered. */
  post(url: string, message: ChatText): Promise<void>;
  close(): Promise<void>;
}

/** Posts to URLs that members choose, with the checks of webhook deliveries. A chat must respond within `deadlineMs`. */
export function createChatTransport(
  allowed: AllowedNetworks,
  clock: Clock,
  { deadlineMs = CHAT_DEADLINE_MS } = {},
): ChatTransport {
  const { environment, policy, lookup, agent } = createOutsideConnections(allowed);

  return {
    async rejectionOf(text) {
      const form = formRejection(text, environment);
      if (form !== null) return form;
      const url = new URL(text);
      const transport = transportRejection(url, environment);
      if (transport !== null) return `Posting to this URL is not allowed: ${transport}.`;
      const host = await hostRejection(url, environment, { policy, lookup });
      return host?.detail ?? null;
    },

    async post(url, message) {
      const { response, error } = await postOnce(agent, {
        url,
        headers: { 'content-type': 'application/json', 'user-agent': 'Tollgate' },
        body: Buffer.from(JSON.stringify(message)),
        deadlineMs,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      });
      if (error) throw new Undelivered(error.detail, { isPermanent: error.code === 'refused' });
      if (response.status < 200 || response.status >= 300) throw rejectedMessage(response, clock.now());
    },

    close: () => agent.close(),
  };
}

function rejectedMessage({ status, headers, body }: PostResponse, nowMs: number): Undelivered {
  const isPermanent = status < 500 && !TEMPORARY_CLIENT_ERRORS.has(status);
  const retryAfter = headers['retry-after'];
  return new Undelivered(`The chat responded with ${status}${explanation(body)}.${advice(status)}`, {
    isPermanent,
    retryAfterMs: parseRetryAfterMs(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, nowMs),
  });
}

/** A word of Slack, such as `channel_is_archived`. Pages and other long texts are left out. */
function explanation(body: Buffer): string {
  const text = body.toString().trim();
  const isShort = text.length <= MAX_EXPLANATION_LENGTH && /^[\w .,:'-]+$/.test(text);
  return isShort ? ` (${text})` : '';
}

function advice(status: number): string {
  if (status >= 300 && status < 400) return ' Redirects are not followed.';
  return status === 404 || status === 410 ? ' The webhook was removed there. Set a new URL.' : '';
}

import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { WEBHOOK_LIMITS, type WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import { sendRequest } from '@tollgate/http/send-request';
import { type SigningSecrets, sign } from '@tollgate/processor-adapter/contract/signature';

/** As for webhook endpoints. */
const TIMEOUT_MS = 15 * SECOND_MS;

export type Forwarded =
  | { status: number; durationMs: number }
  /** The receiver did not respond in time. */
  | { status: 'timeout'; durationMs: number }
  /** The receiver responded with something that is not HTTP, or with too many headers. */
  | { status: 'invalid response'; reason: string; durationMs: number }
  /** The receiver could not be reached. */
  | { status: 'unreachable'; reason: string };

/** Sends an event as a webhook, signed like one: same id, same bytes. */
export async function forwardEvent(
  url: URL,
  secrets: SigningSecrets,
  event: WebhookEvent,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = event.body as string;
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await sendRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sign(secrets, { id: event.id, body }, Date.now()) },
      body,
      maxBytes: WEBHOOK_LIMITS.responseBytes,
      signal: AbortSignal.any([signal, timeout]),
    });
    return { status: response.status, durationMs: elapsedMs() };
  } catch (error) {
    if (timeout.aborted) return { status: 'timeout', durationMs: elapsedMs() };
    const { code: given, message } = error as { code?: unknown; message: string };
    const code = String(given ?? '');
    // The receiver has the event. Sent again, it would respond in the same way.
    if (code.startsWith('HPE_'))
      return { status: 'invalid response', reason: message, durationMs: elapsedMs() };
    // The error of several addresses has no message.
    return { status: 'unreachable', reason: message || code };
  }
}

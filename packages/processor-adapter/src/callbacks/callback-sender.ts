import { DAY_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { sendRequest } from '@tollgate/http/send-request';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { type Periodic, startPeriodic } from '@tollgate/runtime/periodic';
import { ADAPTER_LIMITS } from '../contract/payment-state.ts';
import { type SigningSecrets, sign } from '../contract/signature.ts';
import type { PaymentStore, PendingCallback } from '../store/payment-store.ts';
import { retryDelayMs, slowRetryDelayMs } from './retry-delay.ts';

const MAX_IN_FLIGHT = 8;
const DEADLINE_MS = 10 * SECOND_MS;
const POLL_INTERVAL_MS = SECOND_MS;
/** Then Tollgate has asked for the state itself many times. */
const MAX_AGE_MS = 3 * DAY_MS;

/** Tollgate rejects the callback itself: it has other secrets, does not know the payment, or does not understand the body. */
const REJECTIONS = [400, 401, 404, 409, 413];

export interface SenderDeps {
  store: PaymentStore;
  /** `POST /v1/processor-events/{processor}` of Tollgate. */
  url: string;
  secrets: SigningSecrets;
  clock: Clock;
  logger: Logger;
}

/** Sends callbacks until Tollgate responds with 2xx. */
export function startCallbackSender(deps: SenderDeps): Periodic {
  return startPeriodic({
    name: 'send callbacks',
    intervalMs: POLL_INTERVAL_MS,
    run: () => sendDueCallbacks(deps),
    logger: deps.logger,
  });
}

async function sendDueCallbacks(deps: SenderDeps): Promise<void> {
  const { store, clock } = deps;
  for (;;) {
    const due = store.dueCallbacks(clock.now(), MAX_IN_FLIGHT);
    if (due.length === 0) return;
    await Promise.all(due.map((callback) => attempt(deps, callback)));
  }
}

async function attempt(deps: SenderDeps, callback: PendingCallback): Promise<void> {
  const { status, error } = await send(deps, callback);
  if (status !== null && status >= 200 && status < 300) deps.store.deleteCallback(callback.id);
  else postpone(deps, callback, status, error);
}

interface Outcome {
  /** Null when no response was received. */
  status: number | null;
  error?: unknown;
}

async function send({ url, secrets, clock }: SenderDeps, { id, body }: PendingCallback): Promise<Outcome> {
  try {
    const response = await sendRequest(new URL(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sign(secrets, { id, body }, clock.now()) },
      body,
      maxBytes: ADAPTER_LIMITS.bodyBytes,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    // The status decides, even if the body breaks off.
    return { status: response.status };
  } catch (error) {
    return { status: null, error };
  }
}

function postpone(
  { store, clock, logger }: SenderDeps,
  callback: PendingCallback,
  status: number | null,
  error: unknown,
): void {
  const { id, paymentId, createdAtMs } = callback;
  const attempt = callback.failedAttempts + 1;
  const fields = { event_id: id, payment_id: paymentId, attempt, status, err: error };
  if (clock.now() - createdAtMs >= MAX_AGE_MS) {
    logger.error(fields, 'the callback was not accepted for three days; it is dropped');
    store.deleteCallback(id);
    return;
  }
  const isRejected = REJECTIONS.includes(status ?? 0);
  const delayMs = isRejected ? slowRetryDelayMs() : retryDelayMs(attempt);
  store.postponeCallback(id, clock.now() + delayMs);
  const more = { ...fields, retry_delay_ms: delayMs };
  if (isRejected)
    logger.error(more, 'Tollgate rejects the callback: compare TOLLGATE_SECRETS and TOLLGATE_CALLBACK_URL');
  else logger.warn(more, 'the callback failed; it is sent again');
}

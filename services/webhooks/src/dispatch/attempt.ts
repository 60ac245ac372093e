import { newId } from '@tollgate/contracts/platform/ids';
import type { Logger } from '@tollgate/runtime/logger';
import { runInTrace } from '@tollgate/tracing/current-trace';
import { startSpan } from '@tollgate/tracing/span';
import { parseTraceContext, type TraceContext, traceHeaders } from '@tollgate/tracing/trace-context';
import type { Shared } from '../context.ts';
import type { Attempt, Delivery, Outcome } from '../deliveries/delivery.ts';
import { type Endpoint, signingSecrets } from '../endpoints/endpoint.ts';
import { type SendResult, sendWebhook } from '../sending/send-webhook.ts';
import { signatureHeaders } from '../signing/sign-webhook.ts';

const USER_AGENT = 'Tollgate-Webhooks/1';

const EVENT_GONE: SendResult = {
  response: null,
  error: { code: 'event-gone', detail: 'The event has expired and can no longer be sent.' },
};

/** Signs and sends a claimed delivery once, as a part of its trace. */
export async function attemptDelivery(
  shared: Shared,
  endpoint: Endpoint,
  claimed: Delivery,
): Promise<Attempt> {
  const span = startSpan({
    component: 'webhooks',
    name: 'webhook attempt',
    kind: 'client',
    parent: parseTraceContext(claimed.traceparent),
    attributes: { 'tollgate.delivery_id': claimed._id, 'tollgate.event_type': claimed.event_type },
  });
  return runInTrace(span.trace, async () => {
    try {
      const attempt = await attemptInTrace(shared, endpoint, claimed, span.trace);
      const { error, response } = attempt;
      shared.metrics.observeAttempt(claimed, attempt);
      span.end({
        ...(response && { attributes: { 'http.response.status_code': response.status } }),
        ...(error && { error: error.code }),
      });
      return attempt;
    } catch (error) {
      span.end({ error });
      throw error;
    }
  });
}

async function attemptInTrace(
  shared: Shared,
  endpoint: Endpoint,
  claimed: Delivery,
  trace: TraceContext | null,
): Promise<Attempt> {
  const { clock } = shared;
  const body = await shared.bodies.get(claimed);
  const at = new Date(clock.now());
  const signed = body === null ? {} : requestHeaders(shared.secrets, endpoint, claimed, body, at);
  const headers = { ...signed, ...traceHeaders(trace) };
  const startedAt = performance.now();
  const { response, error } =
    body === null
      ? EVENT_GONE
      : await sendWebhook(shared.agents[claimed.environment], {
          url: endpoint.url,
          headers,
          body,
          deadlineMs: shared.deadlineMs,
        });
  const duration_ms = Math.round(performance.now() - startedAt);
  return {
    id: newId('attempt'),
    number: claimed.attempt_count + 1,
    at,
    duration_ms,
    error,
    url: endpoint.url,
    request_headers: Object.entries(headers),
    response: response && {
      status: response.status,
      headers: Object.entries(response.headers),
      // Bytes that are not UTF-8 become replacement characters.
      body: response.body.toString('utf8'),
      bytes: response.body.length,
      truncated: response.truncated,
    },
  };
}

/** Records the result, many per write. Resolves to false when the claim was lost meanwhile. */
export async function recordAttempt(
  { due, announce, metrics, clock, logger }: Shared,
  claimed: Delivery,
  attempt: Attempt,
  outcome: Outcome,
): Promise<boolean> {
  const retryDelayMs = outcome.next_attempt_at && outcome.next_attempt_at.getTime() - clock.now();
  logAttempt(logger, claimed, attempt, retryDelayMs);
  const isRecorded = await due.record(claimed, attempt, outcome);
  if (isRecorded) {
    announce.delivery({ ...claimed, status: outcome.status, attempt_count: attempt.number });
  } else {
    metrics.countLostClaim();
    logger.warn(
      logged(claimed),
      'an attempt ended too late to be recorded: the delivery was claimed again, canceled, or skipped',
    );
  }
  return isRecorded;
}

/** Successes only at the level debug: in production, there are too many of them, and members see them in the delivery log. */
function logAttempt(
  logger: Logger,
  claimed: Delivery,
  { number, error, response, duration_ms }: Attempt,
  retryDelayMs: number | null,
): void {
  const fields = {
    ...logged(claimed),
    attempt: number,
    duration_ms,
    status: response?.status,
    code: error?.code,
    reason: error?.detail,
    retry_delay_ms: retryDelayMs,
  };
  if (error === null) logger.debug(fields, 'delivered');
  else if (error.code === 'refused') logger.warn(fields, 'the address policy rejected a delivery');
  else if (retryDelayMs === null) logger.info(fields, 'the last attempt of a delivery failed');
  else logger.info(fields, 'an attempt failed; the delivery is retried');
}

function logged({ _id: delivery_id, endpoint_id, event_id, payment_id, application_id }: Delivery) {
  return { delivery_id, endpoint_id, event_id, payment_id, application_id };
}

function requestHeaders(
  secrets: Shared['secrets'],
  endpoint: Endpoint,
  { event_id }: Delivery,
  body: Buffer,
  at: Date,
): Record<string, string> {
  const signing = signingSecrets(endpoint, at).map(({ sealed }) => secrets.open(sealed, endpoint._id));
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...signatureHeaders({ id: event_id, timestampS: Math.floor(at.getTime() / 1000), body }, signing),
  };
}

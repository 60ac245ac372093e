import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import Stripe from 'stripe';
import type { StripeConfig } from './config.ts';

/** Pinned: another version can rename what the adapter reads. Change it together with the library, and read Stripe's changelog. */
const API_VERSION = '2026-10-28.endive';
/** Below the 9 seconds that a call of Tollgate may take. */
const TIMEOUT_MS = 7 * SECOND_MS;
/** Retries cover conflicts and short outages. Tollgate repeats the whole call. */
const MAX_RETRIES = 1;

export type StripeClient = InstanceType<typeof Stripe>;

export function createStripeClient({ secretKey, apiUrl }: StripeConfig): StripeClient {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    ...(apiUrl && {
      host: apiUrl.hostname,
      port: apiUrl.port || (apiUrl.protocol === 'https:' ? '443' : '80'),
      protocol: apiUrl.protocol === 'https:' ? 'https' : 'http',
    }),
  });
}

/**
 * An error response of Stripe, or none. It takes the place of the library's error, which contains the client secret and data of
 * the payer, and would be logged with them.
 */
export class StripeFailure extends Error {
  readonly status: number | null;
  readonly type: string | null;
  readonly code: string | null;
  readonly param: string | null;
  /** Stripe responds in the same way to every repeat of the request. */
  readonly isReplayed: boolean;

  constructor(error: InstanceType<typeof Stripe.errors.StripeError>) {
    const { statusCode, rawType, code, param, requestId, headers, message, detail } = error;
    const about = [rawType, code, param && `param ${param}`, requestId].filter(Boolean).join(', ');
    const cause = (detail as NodeJS.ErrnoException | undefined)?.code ?? 'no details';
    // Without a status, the message is the library's own.
    super(
      statusCode
        ? `Stripe responded with ${statusCode} (${about})`
        : `Stripe's response is unknown: ${message} (${cause})`,
    );
    this.name = 'StripeFailure';
    this.status = statusCode ?? null;
    this.type = rawType ?? null;
    this.code = code ?? null;
    this.param = param ?? null;
    this.isReplayed = headers?.['idempotent-replayed'] === 'true';
  }
}

/** @throws StripeFailure */
export async function ask<Result>(signal: AbortSignal, request: () => Promise<Result>): Promise<Result> {
  // The library cannot abort a request, but a call that is too late must not send another one.
  signal.throwIfAborted();
  try {
    return await request();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) throw new StripeFailure(error);
    throw new Error('The library of Stripe cannot read the response of Stripe.');
  }
}

/** Stripe did not carry out the request, because of its content or the state of the object. */
export function isInvalidRequest(error: unknown): error is StripeFailure {
  return (
    error instanceof StripeFailure &&
    error.type === 'invalid_request_error' &&
    [400, 402, 404].includes(error.status ?? 0)
  );
}

/** Stripe's stored result is an internal error: repeating the request returns it again, for at least 24 hours. */
export function isStoredError(error: unknown): boolean {
  return error instanceof StripeFailure && error.isReplayed && (error.status ?? 0) >= 500;
}

/** Whether the response is the stored one of an earlier request with the same idempotency key. */
export function wasReplayed({
  lastResponse,
}: {
  lastResponse: { headers: Record<string, string> };
}): boolean {
  return lastResponse.headers['idempotent-replayed'] === 'true';
}

import { Problem } from '@tollgate/contracts/problem';
import type { Logger } from '@tollgate/runtime/logger';
import {
  type Exchange,
  ExchangeError,
  startExchange,
  type UpstreamRequest,
  type UpstreamResponse,
} from './exchange.ts';
import type { PaymentsInstance, PaymentsPool } from './payments-pool.ts';

/** Below the SDK's 30 s, so that the caller gets the gateway's response and not its own timeout. */
const UPSTREAM_TIMEOUT_MS = 25_000;
export const RETRY_AFTER_UNAVAILABLE_S = 1;

/** Thrown when the client disconnected: no response can be sent. */
export class ClientDisconnected extends Error {
  constructor() {
    super('The client disconnected');
    this.name = 'ClientDisconnected';
  }
}

export type UpstreamFailure =
  | 'no-instance'
  | 'full'
  | 'not-sent'
  | 'broken'
  | 'status-503'
  | 'timeout'
  | 'invalid-response';

/** A request in flight to payments. */
export interface Forwarding {
  /** Closes the upstream connection too, because the client disconnected. */
  abandon(): void;
}

/** Called once, with the response, a Problem (unavailable, upstream-error, upstream-timeout), or ClientDisconnected. */
export type Forwarded = (result: UpstreamResponse | Error) => void;

export type Forward = (request: UpstreamRequest, requestId: string, forwarded: Forwarded) => Forwarding;

/** Result of one attempt on one instance. */
interface Outcome {
  result: UpstreamResponse | Error;
  mayGoElsewhere: boolean;
}

/**
 * Sends a request to payments. A POST is sent once: it goes to another instance only if the connection failed before
 * any byte was sent. A GET whose connection breaks, or that gets a 503, is retried once on another instance. Payments
 * sees a request at most twice. `Retry-After` is relayed to the caller; the gateway does not wait for it.
 */
export function createForward(deps: {
  pool: PaymentsPool;
  logger: Logger;
  onFailure: (failure: UpstreamFailure) => void;
  timeoutMs?: number;
}): Forward {
  const { pool, logger, onFailure, timeoutMs = UPSTREAM_TIMEOUT_MS } = deps;

  return function forward(request, requestId, forwarded) {
    const isRepeatable = request.method === 'GET';
    let exchange: Exchange | undefined;
    let stopped: 'timeout' | 'client-disconnected' | null = null;
    const deadline = setTimeout(stop, timeoutMs, 'timeout');

    function stop(reason: 'timeout' | 'client-disconnected'): void {
      stopped = reason;
      exchange?.abort();
    }

    function end(result: UpstreamResponse | Error): void {
      clearTimeout(deadline);
      forwarded(result);
    }

    function run(): void {
      const first = pool.choose();
      if (first) {
        attempt(first, (outcome) => retryElsewhere(first, outcome));
        return;
      }
      const isFull = pool.aliveCount() > 0;
      report(isFull ? 'full' : 'no-instance');
      end(isFull ? full() : unavailable());
    }

    function retryElsewhere(first: PaymentsInstance, { result, mayGoElsewhere }: Outcome): void {
      const second = mayGoElsewhere && stopped === null ? pool.choose(first) : undefined;
      if (second) attempt(second, (outcome) => end(outcome.result));
      else end(result);
    }

    function attempt(instance: PaymentsInstance, attempted: (outcome: Outcome) => void): void {
      instance.pending++;
      exchange = startExchange(instance.dispatcher, request, (result) => {
        instance.pending--;
        attempted(result instanceof ExchangeError ? explain(result, instance) : judge(result, instance));
      });
    }

    function judge(response: UpstreamResponse, instance: PaymentsInstance): Outcome {
      if (response.status !== 503) return { result: response, mayGoElsewhere: false };
      report('status-503', instance);
      return { result: response, mayGoElsewhere: isRepeatable };
    }

    function explain(error: ExchangeError, instance: PaymentsInstance): Outcome {
      if (stopped === 'client-disconnected')
        return { result: new ClientDisconnected(), mayGoElsewhere: false };
      if (stopped === 'timeout') {
        report('timeout', instance);
        return { result: timedOut(), mayGoElsewhere: false };
      }
      report(error.sent ? 'broken' : 'not-sent', instance, error);
      return error.sent
        ? { result: brokenOff(), mayGoElsewhere: isRepeatable }
        : { result: unavailable(), mayGoElsewhere: true };
    }

    function report(failure: UpstreamFailure, instance?: PaymentsInstance, error?: unknown): void {
      onFailure(failure);
      // A slow instance is not broken: the next request may be fast, and the pool prefers the least busy instance
      // anyway.
      if (instance && failure !== 'timeout') pool.eject(instance);
      logger.warn(
        { request_id: requestId, reason: failure, upstream: instance?.url, err: error },
        'request to the payments service failed',
      );
    }

    run();
    return { abandon: () => stop('client-disconnected') };
  };
}

function unavailable(): Problem {
  return new Problem('unavailable', 'The payments service is unreachable. The request was not processed.', {
    retryAfterS: RETRY_AFTER_UNAVAILABLE_S,
  });
}

function full(): Problem {
  return new Problem('unavailable', 'The payments service is at capacity. The request was not processed.', {
    retryAfterS: RETRY_AFTER_UNAVAILABLE_S,
  });
}

function brokenOff(): Problem {
  return new Problem(
    'upstream-error',
    'The connection to the payments service closed before it responded. The request may have been processed.',
  );
}

function timedOut(): Problem {
  return new Problem(
    'upstream-timeout',
    'The payments service timed out. The request may have been processed.',
  );
}

import { HEADERS } from '@tollgate/contracts/platform/headers';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Logger } from '@tollgate/runtime/logger';
import type { PaymentsInstance, PaymentsPool } from '../payments-instances/payments-pool.ts';
import {
  type Exchange,
  type ExchangeError,
  startExchange,
  type UpstreamRequest,
  type UpstreamResponse,
} from './exchange.ts';

/** Below the SDK's 30 s, so that the caller gets the gateway's response and not its own timeout. */
const UPSTREAM_TIMEOUT_MS = 25_000;
export const RETRY_AFTER_UNAVAILABLE_S = 1;

/** The client disconnected: no response can be sent. */
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

export interface PaymentsUpstream {
  /**
   * Resolves to the complete response. Rejects with a Problem (unavailable, upstream-error, upstream-timeout), or with
   * ClientDisconnected.
   */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
  /** Closes the connection to the instance, because the client of this request disconnected. Without effect after its end. */
  abandon(requestId: string): void;
}

/** A request until its last attempt has ended. */
interface InFlight {
  request: UpstreamRequest;
  exchange?: Exchange;
  stopped: 'timeout' | 'client-disconnected' | null;
}

/** Result of one attempt on one instance. */
interface Outcome {
  result: UpstreamResponse | Error;
  mayGoElsewhere: boolean;
}

/**
 * The payments instances as one upstream. A POST is sent once: it goes to another instance only if the connection failed before
 * any byte was sent. A GET whose connection breaks, or that gets a 503, is repeated once on another instance. Payments sees a request
 * at most twice. `Retry-After` is relayed to the caller; the gateway does not wait for it.
 */
export function createPaymentsUpstream(deps: {
  pool: PaymentsPool;
  logger: Logger;
  onFailure: (failure: UpstreamFailure) => void;
  timeoutMs?: number;
}): PaymentsUpstream {
  const { pool, logger, onFailure, timeoutMs = UPSTREAM_TIMEOUT_MS } = deps;
  /** Requests in flight, by id. */
  const inFlight = new Map<string, InFlight>();

  function stop(current: InFlight, reason: 'timeout' | 'client-disconnected'): void {
    current.stopped = reason;
    current.exchange?.abort();
  }

  async function attempt(current: InFlight, instance: PaymentsInstance): Promise<Outcome> {
    instance.pending++;
    current.exchange = startExchange(instance.dispatcher, current.request);
    try {
      return judge(current, instance, await current.exchange.response);
    } catch (error) {
      return explain(current, instance, error as ExchangeError);
    } finally {
      instance.pending--;
    }
  }

  function judge({ request }: InFlight, instance: PaymentsInstance, result: UpstreamResponse): Outcome {
    if (result.status !== 503) return { result, mayGoElsewhere: false };
    report('status-503', request, instance);
    return { result, mayGoElsewhere: request.method === 'GET' };
  }

  function explain(
    { request, stopped }: InFlight,
    instance: PaymentsInstance,
    error: ExchangeError,
  ): Outcome {
    if (stopped === 'client-disconnected') return { result: error, mayGoElsewhere: false };
    if (stopped === 'timeout') {
      report('timeout', request, instance);
      return { result: timedOut(), mayGoElsewhere: false };
    }
    report(error.sent ? 'broken' : 'not-sent', request, instance, error);
    return error.sent
      ? { result: brokenOff(), mayGoElsewhere: request.method === 'GET' }
      : { result: unavailable(), mayGoElsewhere: true };
  }

  function report(
    failure: UpstreamFailure,
    { headers }: UpstreamRequest,
    instance?: PaymentsInstance,
    error?: unknown,
  ): void {
    onFailure(failure);
    // A slow instance is not broken: the next request may be fast, and the pool prefers the least busy instance anyway.
    if (instance && failure !== 'timeout') pool.eject(instance);
    logger.warn(
      { request_id: headers[HEADERS.requestId], reason: failure, upstream: instance?.url, err: error },
      'request to the payments service failed',
    );
  }

  function rejectUnsent(request: UpstreamRequest): Problem {
    const isFull = pool.aliveCount() > 0;
    report(isFull ? 'full' : 'no-instance', request);
    return isFull ? full() : unavailable();
  }

  return {
    async send(request) {
      const first = pool.choose();
      if (!first) throw rejectUnsent(request);
      const id = request.headers[HEADERS.requestId] as string;
      const current: InFlight = { request, stopped: null };
      inFlight.set(id, current);
      const deadline = setTimeout(stop, timeoutMs, current, 'timeout');
      try {
        let outcome = await attempt(current, first);
        const second = outcome.mayGoElsewhere && current.stopped === null ? pool.choose(first) : undefined;
        if (second) outcome = await attempt(current, second);
        if (current.stopped === 'client-disconnected') throw new ClientDisconnected();
        if (outcome.result instanceof Error) throw outcome.result;
        return outcome.result;
      } finally {
        clearTimeout(deadline);
        inFlight.delete(id);
      }
    },

    abandon(requestId) {
      const current = inFlight.get(requestId);
      if (current) stop(current, 'client-disconnected');
    },
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

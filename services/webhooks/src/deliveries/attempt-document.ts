import type { Attempt } from './delivery.ts';

/** Not an object: a header can be called `$set` or `a.b`, which MongoDB rejects or misreads as a field name. */
type HeaderPairs = [name: string, value: string][];

type StoredResponse = (Omit<NonNullable<Attempt['response']>, 'headers'> & { headers: HeaderPairs }) | null;

/** An attempt as it is stored in its delivery. */
export interface AttemptDocument extends Pick<Attempt, 'id' | 'number' | 'at' | 'error' | 'url'> {
  duration_ms: number;
  request_headers: HeaderPairs;
  response: StoredResponse;
}

/** The form in which attempts were stored first. Deliveries are kept for 90 days, so it is still read. */
export type FirstAttemptDocument = Omit<AttemptDocument, 'duration_ms' | 'request_headers'> & {
  durationMs: number;
  requestHeaders: HeaderPairs;
};

export type StoredAttempt = AttemptDocument | FirstAttemptDocument;

export function toAttemptDocument(attempt: Attempt): AttemptDocument {
  const { id, number, at, durationMs, error, url, requestHeaders, response } = attempt;
  return {
    id,
    number,
    at,
    duration_ms: durationMs,
    error,
    url,
    request_headers: Object.entries(requestHeaders),
    response: response && { ...response, headers: Object.entries(response.headers) },
  };
}

export function toAttempt(stored: StoredAttempt): Attempt {
  const { id, number, at, error, url, response } = stored;
  const requestHeaders = 'request_headers' in stored ? stored.request_headers : stored.requestHeaders;
  return {
    id,
    number,
    at,
    durationMs: durationMsOf(stored),
    error,
    url,
    requestHeaders: Object.fromEntries(requestHeaders),
    response: response && { ...response, headers: Object.fromEntries(response.headers) },
  };
}

export function durationMsOf(
  stored: Pick<AttemptDocument, 'duration_ms'> | Pick<FirstAttemptDocument, 'durationMs'>,
): number {
  return 'duration_ms' in stored ? stored.duration_ms : stored.durationMs;
}

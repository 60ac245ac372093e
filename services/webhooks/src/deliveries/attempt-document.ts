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

export function toAttempt(stored: AttemptDocument): Attempt {
  const { id, number, at, error, url, response } = stored;
  return {
    id,
    number,
    at,
    durationMs: stored.duration_ms,
    error,
    url,
    requestHeaders: Object.fromEntries(stored.request_headers),
    response: response && { ...response, headers: Object.fromEntries(response.headers) },
  };
}

import type { Attempt } from './delivery.ts';

/** Headers are no field names: `$set` or `a.b` are header names, and MongoDB refuses fields of such names or takes them for something else. */
type HeaderPairs = [name: string, value: string][];

/** An attempt as it lies in its delivery. */
export interface AttemptDocument extends Omit<Attempt, 'requestHeaders' | 'response'> {
  requestHeaders: HeaderPairs;
  response: (Omit<NonNullable<Attempt['response']>, 'headers'> & { headers: HeaderPairs }) | null;
}

export function toAttemptDocument(attempt: Attempt): AttemptDocument {
  const { requestHeaders, response } = attempt;
  return {
    ...attempt,
    requestHeaders: Object.entries(requestHeaders),
    response: response && { ...response, headers: Object.entries(response.headers) },
  };
}

export function toAttempt(document: AttemptDocument): Attempt {
  const { requestHeaders, response } = document;
  return {
    ...document,
    requestHeaders: Object.fromEntries(requestHeaders),
    response: response && { ...response, headers: Object.fromEntries(response.headers) },
  };
}

/** The response that a returned resource came in. */
export interface LastResponse {
  /** HTTP status: 201 for a created payment, also when the response is a replay. */
  readonly status: number;
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** The key of the call, also when the package generated it; undefined after a `retrieve`. */
  readonly idempotencyKey: string | undefined;
  /** Whether an earlier request with the same idempotency key had the effect, and this one had none. */
  readonly idempotentReplayed: boolean;
}

/** `lastResponse` is not enumerable: it is in no JSON, copy, or comparison of the resource. */
export type WithResponse<Resource> = Resource & { readonly lastResponse: LastResponse };

export function withResponse(resource: object, lastResponse: LastResponse): WithResponse<object> {
  return Object.defineProperty(resource, 'lastResponse', { value: lastResponse }) as WithResponse<object>;
}

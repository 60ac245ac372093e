/** Inner headers. The gateway drops every header with this prefix that comes from outside. */
export const INTERNAL_HEADER_PREFIX = 'x-tollgate-';

export const HEADERS = {
  principal: 'x-tollgate-principal',
  signature: 'x-tollgate-signature',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
  /** NATS header of the signed actor token. */
  actor: 'tollgate-actor',
} as const;

/** A signed principal further off than this is refused, both ways. */
export const SIGNATURE_TOLERANCE_S = 30;

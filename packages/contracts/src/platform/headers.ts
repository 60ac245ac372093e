/** `x-tollgate-*` are internal headers: gateways build each upstream request from scratch, so callers cannot set them. */
export const HEADERS = {
  principal: 'x-tollgate-principal',
  signature: 'x-tollgate-signature',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
  /** On an internal response: when this request changed the payment (RFC 3339); absent if it changed nothing. */
  changedAt: 'x-tollgate-changed-at',
  /** From the dashboard to the admin API: a random id. Calls with the same id may share one exchange of their session. */
  pageRequest: 'x-tollgate-page-request',
  /** NATS headers: the signed actor token, and the id of the admin request that an RPC is part of. */
  actor: 'tollgate-actor',
  rpcRequestId: 'tollgate-request-id',
  /** NATS header: the subjects of the RPCs for which an exchange requests an actor token, separated by spaces. */
  rpcActorFor: 'tollgate-actor-for',
  /** NATS header: the idempotency key of the admin request, without quotes. */
  rpcIdempotencyKey: 'tollgate-idempotency-key',
} as const;

/** A signed principal whose time differs by more than this, in either direction, is rejected. */
export const SIGNATURE_TOLERANCE_S = 30;

/** How long a creation waits for the first reply of the processor, in seconds: without `Prefer: wait=N`, and at most. */
export const CREATION_WAIT_S = { default: 1, max: 10 } as const;

/** Longest key, without its quotes. */
const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** Visible ASCII, RFC 20. */
export const IDEMPOTENCY_KEY = new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_LENGTH}}$`);
/** The header: the key, or the key in the double quotes of an sf-string (RFC 8941 §3.3.3), where `"` and `\` occur only after a `\`. */
export const IDEMPOTENCY_KEY_HEADER = new RegExp(
  String.raw`^(?:[!#-~][!-~]{0,${MAX_IDEMPOTENCY_KEY_LENGTH - 1}}|"(?:[!#-\[\]-~]|\\["\\]){1,${MAX_IDEMPOTENCY_KEY_LENGTH}}")$`,
);
/** The quotes, and a `\` before each character. */
export const MAX_IDEMPOTENCY_KEY_HEADER_LENGTH = 2 * MAX_IDEMPOTENCY_KEY_LENGTH + 2;
/** The format of an `Idempotency-Key`, as documentation and errors describe it. */
export const IDEMPOTENCY_KEY_FORMAT = `1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters`;

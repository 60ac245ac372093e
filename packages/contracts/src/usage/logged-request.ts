import Type, { type Static } from 'typebox';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_FORMAT } from '../platform/headers.ts';
import { TimeFilter } from '../platform/page.ts';
import { EnvironmentSchema, Id, Nullable, TextOfPattern, Time } from '../platform/schema.ts';
import { LOGGED_ERROR_LIMITS, LoggedError } from './logged-error.ts';
import { USAGE_OPERATIONS, USAGE_OUTCOMES } from './usage.ts';

/**
 * A request of the public API. Contains no value of its body, and of its headers only which keys it had. The optional fields are
 * absent in a reply of the previous release, and in a request that was logged before this one.
 */
export const LoggedRequest = Type.Object({
  id: Id('request'),
  environment: EnvironmentSchema,
  application_id: Id('application'),
  key_id: Id('apiKey'),
  operation: Type.Enum(USAGE_OPERATIONS),
  /** Null if the API key was rejected. Usage does not count such a request. */
  outcome: Nullable(Type.Enum(USAGE_OUTCOMES)),
  /** HTTP status; null if the client disconnected before the response. */
  status: Nullable(Type.Integer()),
  /** Error code; null for a success. */
  code: Nullable(Type.String()),
  duration_ms: Type.Number({ minimum: 0 }),
  client_address: Type.String({ description: 'IP address of the client' }),
  /** The payment in the path, or the new one; null if there is none. */
  payment_id: Nullable(Id('payment')),
  method: Type.Optional(Type.String({ description: 'HTTP method of the operation' })),
  path: Type.Optional(
    Type.String({ description: 'Path without a query. An invalid payment id is left out: `{payment_id}`' }),
  ),
  idempotency_key_digest: Type.Optional(
    Nullable(
      Type.String(),
      'Digest of the `Idempotency-Key`, the same for the same key in this team; null without a valid key',
    ),
  ),
  errors: Type.Optional(
    Type.Array(LoggedError, {
      maxItems: LOGGED_ERROR_LIMITS.perRequest,
      description: `The first ${LOGGED_ERROR_LIMITS.perRequest} entries of \`errors\` in the response, without their values`,
    }),
  ),
  /** When the request arrived. */
  created_at: Time,
});
export type LoggedRequest = Static<typeof LoggedRequest>;

/** Filters of the request log. A request must match all of them; an absent filter matches every request. */
export const RequestFilters = {
  application_id: Type.Optional(Id('application')),
  key_id: Type.Optional(Id('apiKey')),
  operation: Type.Optional(Type.Enum(USAGE_OPERATIONS)),
  status: Type.Optional(
    TextOfPattern(
      '^([1-5][0-9]{2}|[245]xx|aborted)$',
      'This must be a status such as 404, a class such as 4xx, or aborted.',
      { description: 'A status such as `404`, a class such as `4xx`, or `aborted`' },
    ),
  ),
  code: Type.Optional(
    TextOfPattern('^[a-z][a-z-]{0,63}$', 'This must be an error code, such as rate-limited.', {
      description: 'Error code',
    }),
  ),
  payment_id: Type.Optional(Id('payment')),
  idempotency_key: Type.Optional(
    TextOfPattern(IDEMPOTENCY_KEY.source, `This must be ${IDEMPOTENCY_KEY_FORMAT}.`, {
      description: 'An idempotency key, or its `idempotency_key_digest`',
    }),
  ),
  client_address: Type.Optional(
    Type.String({ minLength: 2, maxLength: 45, description: 'IP address of the client' }),
  ),
  created_from: TimeFilter('Arrived at or after this time'),
  created_to: TimeFilter('Arrived before this time'),
};

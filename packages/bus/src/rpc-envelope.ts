import { ERRORS, generalErrorCode, isErrorCode } from '@tollgate/contracts/platform/errors';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import { Problem, type ProblemDetails } from '@tollgate/contracts/platform/problem';
import Type from 'typebox';
import { parseJson } from './parse-json.ts';

/**
 * Wire format: `{ok: <reply>}`, or `{problem}` when the service rejected the request or failed. `replayed` marks the
 * reply to an earlier call with the same idempotency key.
 */
export type RpcReply = { ok: unknown; replayed?: true } | { problem: WireProblem };

/** A problem with the names of the wire format, and its status for readers that do not know the code. */
type WireProblem = Omit<ProblemDetails, 'retryAfterS' | 'outcomeUnknown'> & {
  status: number;
  retry_after_s?: number;
  outcome_unknown?: boolean;
};

const FieldErrorSchema = Type.Object({
  pointer: Type.Optional(Type.String()),
  header: Type.Optional(Type.String()),
  parameter: Type.Optional(Type.String()),
  code: Type.String(),
  detail: Type.String(),
});

const ProblemReply = Type.Object({
  problem: Type.Object({
    code: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    errors: Type.Optional(Type.Array(FieldErrorSchema)),
    extensions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    retry_after_s: Type.Optional(Type.Number()),
    outcome_unknown: Type.Optional(Type.Boolean()),
  }),
});

/** Reply of a service that rejected the request or failed. */
export function problemReply({ retryAfterS, outcomeUnknown, ...details }: ProblemDetails): RpcReply {
  const { status } = ERRORS[details.code];
  return {
    problem: {
      ...details,
      status,
      ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }),
      ...(outcomeUnknown !== undefined && { outcome_unknown: outcomeUnknown }),
    },
  };
}

/**
 * Returns the value of an `{ok}` reply, and whether it is replayed. Throws the problem of a `{problem}` reply, and `upstream-error` for anything
 * else. A code of a later release becomes the general code of its status.
 */
export function unwrapReply(text: string, service: string): { value: unknown; isReplay: boolean } {
  const reply = parseJson(text);
  if (typeof reply === 'object' && reply !== null && 'ok' in reply) {
    return { value: reply.ok, isReplay: 'replayed' in reply && reply.replayed === true };
  }
  const rejection = openReader(ProblemReply).read(reply);
  if (!rejection) {
    throw new Problem('upstream-error', `The ${service} service sent a malformed reply.`);
  }
  const { code, status, detail, errors, extensions, retry_after_s, outcome_unknown } = rejection.problem;
  throw new Problem(isErrorCode(code) ? code : generalErrorCode(status), detail, {
    ...(errors && { errors }),
    ...(extensions && { extensions }),
    ...(retry_after_s !== undefined && { retryAfterS: retry_after_s }),
    ...(outcome_unknown !== undefined && { outcomeUnknown: outcome_unknown }),
  });
}

import { ERRORS, type ErrorCode } from '@tollgate/contracts/errors';
import { Problem, type ProblemDetails } from '@tollgate/contracts/problem';
import Type from 'typebox';
import { isValid } from './validator.ts';

/** Wire format: `{ok: <reply>}`, or `{problem}` when the service rejected the request or failed. */
export type RpcReply = { ok: unknown } | { problem: WireProblem };

/** A problem with the names of the wire format. */
type WireProblem = Omit<ProblemDetails, 'retryAfterS'> & { retry_after_s?: number };

const FieldErrorSchema = Type.Object({
  pointer: Type.Optional(Type.String()),
  header: Type.Optional(Type.String()),
  parameter: Type.Optional(Type.String()),
  code: Type.String(),
  detail: Type.String(),
});

const ProblemReply = Type.Object({
  problem: Type.Object({
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[]),
    detail: Type.String(),
    errors: Type.Optional(Type.Array(FieldErrorSchema)),
    extensions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    retry_after_s: Type.Optional(Type.Number()),
  }),
});

/** Reply of a service that rejected the request or failed. */
export function problemReply({ retryAfterS, ...details }: ProblemDetails): RpcReply {
  return { problem: { ...details, ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }) } };
}

/**
 * Returns the value of an `{ok}` reply. Throws the problem of a `{problem}` reply, and `upstream-error` for anything
 * else.
 */
export function unwrapReply(text: string, service: string): unknown {
  const reply = parseJson(text);
  if (typeof reply === 'object' && reply !== null && 'ok' in reply) return reply.ok;
  if (!isValid(ProblemReply, reply)) {
    throw new Problem('upstream-error', `The ${service} service sent a malformed reply.`);
  }
  const { code, detail, retry_after_s, ...more } = (reply as { problem: WireProblem }).problem;
  throw new Problem(code, detail, {
    ...more,
    ...(retry_after_s !== undefined && { retryAfterS: retry_after_s }),
  });
}

/** Returns the parsed JSON, or undefined if it is invalid: no JSON text means undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { Problem } from '@tollgate/contracts/platform/problem';
import { AddressRejected, TransportRejected } from '@tollgate/outbound/resolve-host';
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { type SsoFailureReason, ssoFailed } from '../sso-failed.ts';

/** The form of an OAuth error code; anything else could be a text that an attacker wants a person to read. */
const ERROR_CODE = /^[a-z_]{1,64}$/;
const TIMESTAMP_CHECK = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
/** Deeper chains of causes add nothing. */
const MAX_CAUSES = 4;

/**
 * The problem to return for a failed step, and what the log says. Neither contains a code, a token, or a claim: causes of the
 * library do.
 */
export function explainFailure(error: unknown): { problem: Problem; logged: { reason: string } } {
  if (error instanceof Problem) return { problem: error, logged: { reason: error.details.detail } };
  if (error instanceof AuthorizationResponseError) {
    return explained(
      'provider_denied',
      `The identity provider rejected the sign-in (${codeOf(error.error)}). Try again, or ask an owner of the team.`,
    );
  }
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    return explained(
      'request_rejected',
      `The identity provider did not accept Tollgate's request (${codeOf(requestErrorOf(error))}). An owner of the team must check the client ID, the client secret, and the redirect URI.`,
    );
  }
  const causes = causesOf(error);
  const rejected = causes.find(isRejected);
  if (rejected) {
    return explained(
      'connection_denied',
      'Tollgate may not connect to the identity provider. Its address must be public and use https, unless the operator allows its network.',
      rejected.message,
    );
  }
  const codes = causes.map(({ code }) => String(code ?? ''));
  const technical = causes.map(({ name, message }) => `${name}: ${message}`).join('; ');
  if (codes.includes(TIMESTAMP_CHECK)) {
    return explained(
      'invalid_time',
      'The response of the identity provider has expired, or the clocks of the two servers differ by more than a minute. Sign in again.',
      technical,
    );
  }
  if (codes.some((code) => code.startsWith('OAUTH_') && code !== 'OAUTH_TIMEOUT' && code !== 'OAUTH_ABORT')) {
    return explained(
      'invalid_response',
      'The response of the identity provider is not valid for this sign-in. Sign in again. If it fails again, an owner of the team must check the settings.',
      technical,
    );
  }
  return explained(
    'provider_unavailable',
    'The identity provider could not be reached. Try again in a moment.',
    technical,
  );
}

function explained(reason: SsoFailureReason, detail: string, logged: string = detail) {
  return { problem: ssoFailed(reason, detail), logged: { reason: logged } };
}

function isRejected(error: Error): boolean {
  return error instanceof AddressRejected || error instanceof TransportRejected;
}

/** A client that authenticates with HTTP Basic gets its error in a header (RFC 6749 §5.2). */
function requestErrorOf(error: ResponseBodyError | WWWAuthenticateChallengeError): string {
  return error instanceof ResponseBodyError
    ? error.error
    : (error.cause[0]?.parameters.error ?? 'invalid_client');
}

function codeOf(error: string): string {
  return ERROR_CODE.test(error) ? error : 'unknown error';
}

/** The error and its causes, the outermost first. */
export function causesOf(error: unknown): (Error & { code?: unknown })[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause)
    causes.push(cause);
  return causes;
}

import { Problem } from '@tollgate/contracts/platform/problem';
import type { ServerMetadata } from 'openid-client';
import { SsoFailed, type SsoFailureReason } from '../sso-failed.ts';
import { causesOf, explainFailure } from './explain-failure.ts';

/** The library compares the issuer of the document with the one that it asked (OpenID Connect Discovery 1.0 §4.3). */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
/** What a sign-in needs (OpenID Connect Discovery 1.0 §3). */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

const DETAILS: Partial<Record<SsoFailureReason, { code: string; detail: string }>> = {
  connection_denied: {
    code: 'not-allowed',
    detail:
      'Tollgate may not connect to this address. It must be public and use https, unless the operator allows its network.',
  },
  invalid_response: {
    code: 'not-an-issuer',
    detail: 'No OpenID Connect provider is at this address: it has no valid discovery document.',
  },
  wrong_issuer: {
    code: 'issuer-mismatch',
    detail:
      'The provider at this address names another issuer. Enter the issuer exactly as the provider writes it.',
  },
};
const UNREACHABLE = {
  code: 'unreachable',
  detail: 'The issuer could not be reached. Check the address, and that the provider is running.',
};

/** Why the settings cannot name an issuer whose discovery document could not be read, as an error of the field. */
export function issuerProblem(error: unknown): Problem {
  if (causesOf(error).some(({ code }) => code === OTHER_ISSUER)) return invalid(DETAILS.wrong_issuer);
  const { problem } = explainFailure(error);
  return invalid(problem instanceof SsoFailed ? DETAILS[problem.reason] : undefined);
}

/** Throws `invalid-request` if the provider lacks an endpoint that a sign-in needs. */
export function requireEndpoints(metadata: ServerMetadata): void {
  const missing = ENDPOINTS.find((name) => metadata[name] === undefined);
  if (missing === undefined) return;
  throw invalid({
    code: 'missing-endpoint',
    detail: `The discovery document of the issuer lacks ${missing}, which every sign-in needs.`,
  });
}

function invalid(error: { code: string; detail: string } = UNREACHABLE): Problem {
  return new Problem('invalid-request', 'Single sign-on cannot use this issuer.', {
    errors: [{ pointer: '/issuer', ...error }],
  });
}

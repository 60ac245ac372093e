import { decodeJwt, importJWK, SignJWT } from 'jose';
import type { RewriteIdToken } from './identity-provider.ts';

/** Signs the ID token again with the key of the provider, after a change of its claims. Undefined removes a claim. */
export function withClaims(change: Record<string, unknown>): RewriteIdToken {
  return async (idToken, { jwk }) =>
    new SignJWT({ ...decodeJwt(idToken), ...change })
      .setProtectedHeader({ alg: 'RS256', kid: jwk.kid as string })
      .sign(await importJWK(jwk, 'RS256'));
}

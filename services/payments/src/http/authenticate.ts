import type { RequestPrincipal } from '@tollgate/contracts/applications/principal';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { isId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { SignatureError, verifyPrincipal } from '@tollgate/security/principal-signature';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

const NO_BODY = Buffer.alloc(0);

/**
 * Returns the principal that the request acts as. The gateway has verified the key and the scope. This check rejects a
 * request that bypassed the gateway and a route that the gateway forgot to guard.
 *
 * @throws Problem `unauthenticated` without a valid signature, `insufficient-scope`
 */
export function authenticate(context: Context, request: FastifyRequest, scope: Scope): RequestPrincipal {
  const principal = verifiedPrincipal(context, request);
  if (!isId('request', request.id)) throw new Problem('unauthenticated', 'The request id is not valid.');
  if (!ENVIRONMENTS.includes(principal.environment)) {
    throw new Problem(
      'unauthenticated',
      `The environment ${principal.environment} is unknown to this release.`,
    );
  }
  if (!principal.scopes.includes(scope)) {
    throw new Problem('insufficient-scope', `This operation requires the scope ${scope}.`, {
      extensions: { required_scope: scope },
    });
  }
  return principal;
}

/** The request id that the gateway sent; empty without one. */
export function sentRequestId({ headers }: Pick<FastifyRequest['raw'], 'headers'>): string {
  return headerText({ headers }, HEADERS.requestId) ?? '';
}

function verifiedPrincipal(
  { internalSigningKeys, countUnverified, clock }: Context,
  request: FastifyRequest,
): RequestPrincipal {
  const signed = {
    method: request.method,
    path: request.raw.url ?? '',
    requestId: request.id,
    idempotencyKey: headerText(request, HEADERS.idempotencyKey) ?? '',
    body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
  };
  const headers = {
    principal: headerText(request, HEADERS.principal),
    signature: headerText(request, HEADERS.signature),
  };
  try {
    return verifyPrincipal(internalSigningKeys, headers, signed, clock.now());
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    countUnverified('request', error.fault);
    throw new Problem('unauthenticated', error.message);
  }
}

/** Node joins repeated headers of these names into one string, which then matches no signature. */
function headerText(request: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

import type { Principal } from '@tollgate/contracts/principal';
import { encodePrincipal } from '@tollgate/security/principal-signature';
import type { FastifyRequest } from 'fastify';

/** Returns the caller of a request, with the client's address, as the gateway sends it to payments. */
export type EncodeCaller = (principal: Principal, request: FastifyRequest) => string;

/**
 * Keeps the newest text for as long as its principal: an application sends from few addresses, and the text costs as much as a tenth
 * of a request.
 */
export function createEncodeCaller(): EncodeCaller {
  const newest = new WeakMap<Principal, { address: string | null; encoded: string }>();
  return (principal, request) => {
    const { clientAddress: address } = request;
    const known = newest.get(principal);
    if (known?.address === address) return known.encoded;
    const encoded = encodePrincipal({ ...principal, client_address: address });
    newest.set(principal, { address, encoded });
    return encoded;
  };
}

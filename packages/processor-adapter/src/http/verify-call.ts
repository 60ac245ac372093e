import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyRequest } from 'fastify';
import { AdapterError } from '../adapter-error.ts';
import { type Call, InvalidSignature, isCallId, type SigningSecrets, verify } from '../contract/signature.ts';

interface VerifyDeps {
  secrets: SigningSecrets;
  clock: Clock;
}

export function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/**
 * Returns the verified id of the call.
 *
 * @throws AdapterError 401
 */
export function verifySignature({ secrets, clock }: VerifyDeps, request: FastifyRequest): string {
  try {
    const body = bodyOf(request).toString('utf8');
    return verify(secrets, { headers: request.headers, body }, clock.now());
  } catch (error) {
    if (error instanceof InvalidSignature) throw new AdapterError(401, error.message);
    throw error;
  }
}

/** @throws AdapterError 401 */
export function verifyCall(deps: VerifyDeps, request: FastifyRequest, call: Call, paymentId: string): string {
  const id = verifySignature(deps, request);
  requireCallId(id, call, paymentId);
  return id;
}

/** @throws AdapterError 401 when the signature was made for another call */
export function requireCallId(id: string, call: Call, paymentId: string): void {
  if (isCallId(id, call, paymentId)) return;
  throw new AdapterError(
    401,
    `The signature is for another call: the webhook-id must start with "${call}:", the payment id, and ":". Sign each call anew.`,
  );
}

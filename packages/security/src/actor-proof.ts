import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { isId } from '@tollgate/contracts/platform/ids';

/** Distinguishes proofs from everything else that is signed. */
const PURPOSE = 'tollgate-actor-proof';
/** Occurs in no token, id, or signature. */
const SEPARATOR = '~';

export interface ActorProver {
  /** The public key for which accounts issues tokens (Ed25519, base64url). */
  proofKey: string;
  /** Returns the token with the proof for one RPC of an admin request: `<token>~<request id>~<signature>`. */
  prove(token: string, subject: string, requestId: string): string;
}

/** The private key never leaves the process, so a token that was read from NATS is of no use for another RPC. */
export function createActorProver(): ActorProver {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    proofKey: publicKey.export({ format: 'jwk' }).x as string,
    prove(token, subject, requestId) {
      const signature = sign(null, provenBytes(token, subject, requestId), privateKey);
      return [token, requestId, signature.toString('base64url')].join(SEPARATOR);
    },
  };
}

/** The claim that names the key of the prover: RFC 7800 §3.2, RFC 8037 §2. */
export function confirmationOf(proofKey: string) {
  return { jwk: { kty: 'OKP', crv: 'Ed25519', x: proofKey } };
}

export function splitProof(text: string): { token: string; proof: string[] } {
  const [token = '', ...proof] = text.split(SEPARATOR);
  return { token, proof };
}

/** Returns the id of the admin request of a valid proof for this RPC, and null otherwise. Throws if the claim names no key. */
export function provenRequestId(
  token: string,
  [requestId = '', signature = '']: string[],
  { subject, confirmation }: { subject: string; confirmation: unknown },
): string | null {
  const { jwk } = confirmation as ReturnType<typeof confirmationOf>;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const bytes = provenBytes(token, subject, requestId);
  const isProven = verify(null, bytes, key, Buffer.from(signature, 'base64url'));
  return isProven && isId('request', requestId) ? requestId : null;
}

function provenBytes(token: string, subject: string, requestId: string): Buffer {
  return Buffer.from([PURPOSE, token, subject, requestId].join('\n'));
}

import type { Issuer, SignedKind } from '@tollgate/contracts/platform/signature';
import type { CountUnverified } from '@tollgate/runtime/unverified-messages';
import type { FindPublicKey, SignatureFault } from './signature.ts';
import { createSignatureVerifier } from './signature.ts';

/** Returns why a message fails verification, or null. */
export type VerifyMessage = (received: unknown) => string | null;

/** Verifies messages of one kind, which say themselves where they belong, and counts those that fail verification. */
export function createMessageVerifier(
  kind: SignedKind,
  options: {
    findPublicKey: FindPublicKey;
    countUnverified: CountUnverified;
    /** Set for a kind whose content decides which issuers may sign it. */
    mayWrite?: (issuer: Issuer, received: unknown) => boolean;
  },
): VerifyMessage {
  const verifier = createSignatureVerifier(options.findPublicKey);
  const { mayWrite = () => true, countUnverified } = options;

  function findFault(received: unknown): SignatureFault | null {
    const check = verifier.check(kind, received);
    if (check.fault !== null) return check.fault;
    return mayWrite(check.issuer, received) ? null : 'wrong-issuer';
  }

  return (received) => {
    const fault = findFault(received);
    if (fault === null) return null;
    countUnverified(kind, fault);
    return `The message fails verification (${kind}): its signature is ${WORDS[fault]}.`;
  };
}

const WORDS = {
  unsigned: 'missing',
  malformed: 'malformed',
  'wrong-issuer': 'by an issuer that may not sign it',
  'unknown-key': 'by an unknown key',
  altered: 'not valid for this content',
} as const;

import type { Issuer, SignedKind } from '@tollgate/contracts/signature';
import type { CountUntrusted } from '@tollgate/runtime/untrusted-messages';
import type { Distrust, FindPublicKey } from './signature.ts';
import { createSignatureVerifier } from './signature.ts';

/** Returns why a message is not believed, or null. */
export type VerifyMessage = (received: unknown) => string | null;

/** Verifies messages of one kind, which say themselves where they belong, and counts those that are not believed. */
export function createMessageVerifier(
  kind: SignedKind,
  options: {
    findPublicKey: FindPublicKey;
    countUntrusted: CountUntrusted;
    /** For a kind whose content decides which issuers may sign it. */
    mayWrite?: (issuer: Issuer, received: unknown) => boolean;
  },
): VerifyMessage {
  const verifier = createSignatureVerifier(options.findPublicKey);
  const { mayWrite = () => true, countUntrusted } = options;

  function findDistrust(received: unknown): Distrust | null {
    const check = verifier.check(kind, received);
    if (check.distrust !== null) return check.distrust;
    return mayWrite(check.issuer, received) ? null : 'wrong-issuer';
  }

  return (received) => {
    const distrust = findDistrust(received);
    if (distrust === null) return null;
    countUntrusted(kind, distrust);
    return `The message is not believed (${kind}): its signature is ${WORDS[distrust]}.`;
  };
}

const WORDS = {
  unsigned: 'missing',
  malformed: 'malformed',
  'wrong-issuer': 'by an issuer that may not sign it',
  'unknown-key': 'by an unknown key',
  altered: 'not valid for this content',
} as const;

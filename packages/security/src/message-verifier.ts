import type { SignedKind } from '@tollgate/contracts/signature';
import type { CountUntrusted } from '@tollgate/runtime/untrusted-messages';
import type { FindPublicKey } from './signature.ts';
import { createSignatureVerifier } from './signature.ts';

/** Returns why a message is not believed, or null. */
export type VerifyMessage = (received: unknown) => string | null;

/** Verifies messages of one kind, which say themselves where they belong, and counts those that are not believed. */
export function createMessageVerifier(
  kind: SignedKind,
  options: { findPublicKey: FindPublicKey; acceptUnsigned: boolean; countUntrusted: CountUntrusted },
): VerifyMessage {
  const verifier = createSignatureVerifier(options);
  return (received) => {
    const { distrust } = verifier.check(kind, received);
    if (distrust === null) return null;
    options.countUntrusted(kind, distrust);
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

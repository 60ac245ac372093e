import { hash } from 'node:crypto';

/** Half of SHA-256: enough that no two keys of a team meet by accident. */
const DIGEST_LENGTH = 32;
/** The prefix tells a digest from a key that a member typed. */
const PREFIX = 'sha256:';
const DIGEST = new RegExp(`^${PREFIX}[0-9a-f]{${DIGEST_LENGTH}}$`);

/**
 * Digest of an idempotency key for the request log, so that requests with the same key can be compared although no log
 * contains the key: callers build keys from order numbers and names. The team is a salt. Many keys are guessable, and one
 * dictionary must not find the keys of every team, nor show that two teams used the same key.
 */
export function idempotencyDigest(teamId: string, key: string): string {
  return PREFIX + hash('sha256', `${teamId}\n${key}`, 'hex').slice(0, DIGEST_LENGTH);
}

export function isIdempotencyDigest(text: string): boolean {
  return DIGEST.test(text);
}

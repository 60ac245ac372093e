import { COSEALG } from '@simplewebauthn/server/helpers';

/**
 * What passkeys may sign with, the preferred first: every authenticator supports one of them. The library would otherwise ask
 * Node.js for post-quantum signatures, whose support is experimental and prints a warning.
 */
export const SIGNATURE_ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

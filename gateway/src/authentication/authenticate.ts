import { timingSafeEqual } from 'node:crypto';
import type { Environment } from '@tollgate/contracts/environment';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { digestApiKey, parseApiKey } from '@tollgate/security/api-key';
import type { Keyring } from '@tollgate/security/keyring';
import { readBearerCredential } from './bearer-credential.ts';
import type { KnownApplication, KnownKey, Principals } from './principals.ts';

export interface AuthenticatedCaller {
  lookupId: string;
  key: KnownKey;
  application: KnownApplication;
}

/** Throws Problem: unauthenticated, invalid-api-key, ip-not-allowed or application-disabled. */
export type Authenticate = (authorization: string | undefined, address: string) => AuthenticatedCaller;

/** Compared with the secret of an unknown key, so that it takes as long as a known one. */
const NO_DIGEST = Buffer.alloc(32);

/** Checks the API keys of one environment's listener. `address` is the caller's IP address. */
export function createAuthenticate(deps: {
  environment: Environment;
  principals: Principals;
  peppers: Keyring;
  clock: Clock;
  logger: Logger;
}): Authenticate {
  const { environment, principals, peppers, clock, logger } = deps;
  const missingPeppers = new Set<string>();

  return function authenticate(authorization, address) {
    const credential = readBearerCredential(authorization, 'an API key');
    const parsed = parseApiKey(credential);
    if (!parsed) throw invalidApiKey('The API key is incomplete or mistyped.');

    const key = principals.findKey(parsed.lookupId);
    // A caller without the secret must not learn whether the key exists or was revoked.
    if (!secretMatches(credential, key) || !key) throw invalidApiKey('Unknown API key.');
    // The credential itself says its environment, and the entry must not say another.
    if (key.environment !== parsed.environment) throw invalidApiKey('Unknown API key.');

    if (key.status === 'revoked') throw invalidApiKey('This API key was revoked.');
    if (key.status !== 'active') throw invalidApiKey('This API key is not active.');
    if (key.expiresAtMs !== null && clock.now() >= key.expiresAtMs) {
      throw invalidApiKey('This API key has expired.');
    }
    if (key.environment !== environment) {
      throw invalidApiKey(
        `This ${key.environment} key is not valid at the address of the ${environment} environment.`,
      );
    }
    const application = principals.findApplication(key.applicationId);
    if (!application) throw invalidApiKey('The application of this API key is unknown.');
    if (application.status !== 'active') {
      throw new Problem('application-disabled', 'The application of this API key is archived.');
    }
    if (key.allowedFrom && !key.allowedFrom(address)) {
      throw new Problem('ip-not-allowed', 'This API key cannot be used from the IP address of this request.');
    }
    return { lookupId: parsed.lookupId, key, application };
  };

  function secretMatches(credential: string, key: KnownKey | undefined): boolean {
    const pepper = key && peppers.get(key.pepperVersion);
    const digest = digestApiKey(credential, pepper ?? peppers.current.key);
    const matches = timingSafeEqual(digest, key?.digest ?? NO_DIGEST);
    if (key && !pepper) reportMissingPepper(key.pepperVersion);
    return matches && pepper !== undefined;
  }

  /** Logged once per version: callers only see a rejected key, and the operator would look for the cause elsewhere. */
  function reportMissingPepper(version: string): void {
    if (missingPeppers.has(version)) return;
    missingPeppers.add(version);
    logger.error(
      { version },
      'API_KEY_PEPPERS lacks a version that keys were created with; these keys are rejected',
    );
  }
}

function invalidApiKey(detail: string): Problem {
  return new Problem('invalid-api-key', detail);
}

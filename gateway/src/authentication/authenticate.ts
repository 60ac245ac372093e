import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '@tollgate/contracts/applications/principal';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { digestApiKey, parseApiKey } from '@tollgate/security/api-key';
import { LOOKUP_ID_IN_CREDENTIAL } from '@tollgate/security/credential';
import type { Keyring } from '@tollgate/security/keyring';
import { readBearerCredential } from './bearer-credential.ts';
import { invalidApiKey, keyRejection } from './key-rejection.ts';
import type { KnownApplication, KnownKey, Principals } from './principals.ts';

export interface AuthenticatedCaller {
  lookupId: string;
  key: KnownKey;
  application: KnownApplication;
  principal: Principal;
}

/** Throws Problem: unauthenticated, invalid-api-key, ip-not-allowed or application-disabled. */
export type Authenticate = (authorization: string | undefined, address: string | null) => AuthenticatedCaller;

/** Compared with the secret of an unknown key, so that it takes as long as a known one. */
const NO_DIGEST = Buffer.alloc(32);

/**
 * Checks the API keys of one environment's listener. `address` is the caller's IP address; null if it is unreadable. The result of comparing the secret is
 * remembered with the key's entry, so that it is gone when the entry changes. Everything else is checked for each request.
 */
export function createAuthenticate(deps: {
  environment: Environment;
  principals: Principals;
  peppers: Keyring;
  clock: Clock;
  logger: Logger;
}): Authenticate {
  const { environment, principals, peppers, clock, logger } = deps;
  const missingPeppers = new Set<string>();
  const fingerprintOf = createFingerprint();
  const verified = new WeakMap<KnownKey, { fingerprint: string; caller: AuthenticatedCaller }>();

  return function authenticate(authorization, address) {
    const credential = readBearerCredential(authorization, 'an API key');
    // Also for unknown keys, so that they take as long as known ones.
    const fingerprint = fingerprintOf(credential);
    const caller = rememberedCaller(credential, fingerprint) ?? verifiedCaller(credential, fingerprint);
    requireUsable(caller, address);
    return caller;
  };

  /** The caller of a credential that matched the current entry of its key before. */
  function rememberedCaller(credential: string, fingerprint: string): AuthenticatedCaller | undefined {
    const key = principals.findKey(credential.slice(...LOOKUP_ID_IN_CREDENTIAL));
    const remembered = key && verified.get(key);
    // The time of this comparison reveals nothing: only this process can compute a fingerprint.
    if (!remembered || remembered.fingerprint !== fingerprint) return undefined;
    const { caller } = remembered;
    return principals.findApplication(caller.key.applicationId) === caller.application ? caller : undefined;
  }

  function verifiedCaller(credential: string, fingerprint: string): AuthenticatedCaller {
    const parsed = parseApiKey(credential);
    if (!parsed) throw invalidApiKey('The API key is incomplete or mistyped.');

    const key = principals.findKey(parsed.lookupId);
    // A caller without the secret must not learn whether the key exists or was revoked.
    if (!secretMatches(credential, key) || !key) throw invalidApiKey('Unknown API key.');
    // The credential itself says its environment, and the entry must not say another.
    if (key.environment !== parsed.environment) throw invalidApiKey('Unknown API key.');
    requireValid(key);
    const application = principals.findApplication(key.applicationId);
    if (!application) throw invalidApiKey('The application of this API key is unknown.');
    const principal = principalOf(key, application);
    const caller = { lookupId: parsed.lookupId, key, application, principal };
    verified.set(key, { fingerprint, caller });
    return caller;
  }

  function requireUsable({ key, application }: AuthenticatedCaller, address: string | null): void {
    requireValid(key);
    if (application.status !== 'active') {
      throw new Problem('application-disabled', 'The application of this API key is archived.');
    }
    if (key.allowedFrom && !key.allowedFrom(address)) {
      throw new Problem('ip-not-allowed', 'This API key cannot be used from the IP address of this request.');
    }
  }

  function requireValid(key: KnownKey): void {
    const rejection = keyRejection(key, clock.now());
    if (rejection) throw rejection;
    if (key.environment !== environment) {
      throw invalidApiKey(
        `This ${key.environment} key is not valid at the address of the ${environment} environment.`,
      );
    }
  }

  /** Its scopes are those that both the application and the key have. */
  function principalOf(key: KnownKey, application: KnownApplication): Principal {
    return {
      team_id: application.teamId,
      application_id: key.applicationId,
      key_id: key.id,
      environment,
      scopes: key.scopes.filter((scope) => application.scopes.includes(scope)),
    };
  }

  function secretMatches(credential: string, key: KnownKey | undefined): boolean {
    const pepper = key && peppers.get(key.pepperVersion);
    const digest = digestApiKey(credential, pepper ?? peppers.current.key);
    const matches = timingSafeEqual(digest, key ? Buffer.from(key.digest, 'latin1') : NO_DIGEST);
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

/**
 * A hash of credentials under a key that this process alone has. All credentials have the same length, so that a prefix as key is
 * enough for SHA-256. A quarter of the cost of the HMAC under the pepper.
 */
function createFingerprint(): (credential: string) => string {
  const key = randomBytes(32).toString('hex');
  return (credential) => hash('sha256', key + credential, 'hex');
}

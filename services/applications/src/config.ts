import { commonVariables, mongodbUrl, natsReplicas, readConfig } from '@tollgate/runtime/config';
import { keyring, pemKeys } from '@tollgate/security/key-variables';

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readApplicationsConfig(env: Record<string, string | undefined>) {
  return readConfig(env, {
    ...commonVariables,
    mongodbUrl,
    natsReplicas,
    /** Peppers of the API key digests, by version; the first is for new keys. */
    apiKeyPeppers: keyring('API_KEY_PEPPERS'),
    /** Keys that may have signed an actor token. */
    actorPublicKeys: pemKeys('ACTOR_PUBLIC_KEYS'),
  });
}

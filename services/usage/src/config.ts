import { commonVariables, mongodbUrl, natsReplicas, readConfig } from '@tollgate/runtime/config';
import { pemKeys } from '@tollgate/security/key-variables';

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readUsageConfig(env: Record<string, string | undefined>) {
  return readConfig(env, {
    ...commonVariables,
    mongodbUrl,
    natsReplicas,
    /** Keys that may have signed an actor token. */
    actorPublicKeys: pemKeys('ACTOR_PUBLIC_KEYS'),
  });
}

import { readConfig } from '@tollgate/runtime/config';
import { keyring, signer, verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readApplicationsConfig(env: Record<string, string | undefined>) {
  return readConfig(env, {
    ...serviceVariables,
    ...verifierVariables,
    /** Signs principals and audit entries. */
    signer: signer('applications'),
    /** Peppers of the API key digests, by version; the first is used for new keys. */
    apiKeyPeppers: keyring('API_KEY_PEPPERS'),
  });
}

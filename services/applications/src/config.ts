import { type Environment, readConfig } from '@tollgate/runtime/config';
import { keyring, signer, verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export const applicationsVariables = {
  ...serviceVariables,
  ...verifierVariables,
  signer: signer('applications', 'The first key signs principals and audit entries.'),
  apiKeyPeppers: keyring(
    'API_KEY_PEPPERS',
    'Peppers of the digests of API keys, the same in applications and gateways. The first is for new keys.',
  ),
};

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readApplicationsConfig(env: Environment) {
  return readConfig(env, applicationsVariables);
}

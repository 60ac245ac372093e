import { type Environment, readConfig } from '@tollgate/runtime/config';
import { apiKeyPeppers, signer, verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export const applicationsVariables = {
  ...serviceVariables,
  ...verifierVariables,
  signer: signer('applications', 'Sign principals and audit entries.'),
  apiKeyPeppers,
};

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readApplicationsConfig(env: Environment) {
  return readConfig(env, applicationsVariables);
}

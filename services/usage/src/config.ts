import { readConfig } from '@tollgate/runtime/config';
import { verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export type UsageConfig = ReturnType<typeof readUsageConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readUsageConfig(env: Record<string, string | undefined>) {
  return readConfig(env, { ...serviceVariables, ...verifierVariables });
}

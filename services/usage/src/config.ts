import { DAY_MS } from '@tollgate/contracts/durations';
import { durationMs, readConfig } from '@tollgate/runtime/config';
import { verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export type UsageConfig = ReturnType<typeof readUsageConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readUsageConfig(env: Record<string, string | undefined>) {
  return readConfig(env, {
    ...serviceVariables,
    ...verifierVariables,
    requestLogKeptMs: durationMs('REQUEST_LOG_KEPT', { default: 30 * DAY_MS }),
  });
}

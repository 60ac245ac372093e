import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { durationMs, type Environment, readConfig } from '@tollgate/runtime/config';
import { verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export type UsageConfig = ReturnType<typeof readUsageConfig>;

export const usageVariables = {
  ...serviceVariables,
  ...verifierVariables,
  requestLogKeptMs: durationMs('REQUEST_LOG_KEPT', {
    default: 30 * DAY_MS,
    description:
      'How long requests stay in the request log. Applies to requests that arrive after the change.',
  }),
};

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readUsageConfig(env: Environment) {
  return readConfig(env, usageVariables);
}

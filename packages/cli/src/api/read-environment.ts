import { commandLineVariables } from '@tollgate/configuration/command-line';
import { ConfigError, readConfig } from '@tollgate/runtime/config';
import { UsageError } from '../command.ts';

/** The variables of the command line. @throws UsageError for a wrong one */
export function readEnvironment(env: NodeJS.ProcessEnv) {
  try {
    return readConfig(env, commandLineVariables);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

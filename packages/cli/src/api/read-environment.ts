import { ConfigError, readConfig, type Variable } from '@tollgate/runtime/config';
import { UsageError } from '../command.ts';

/** Reads only the variables that a command needs, so that an unrelated invalid variable does not stop it. @throws UsageError */
export function readEnvironment<Config extends object>(
  env: NodeJS.ProcessEnv,
  variables: { [Name in keyof Config]: Variable<Config[Name]> },
): Readonly<Config> {
  try {
    return readConfig(env, variables);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

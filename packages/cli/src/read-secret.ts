import { readSetting, SettingProblem } from '@tollgate/runtime/secret-file';
import { UsageError } from './command.ts';

/** Returns a secret in the environment, or in the file that `<name>_FILE` names. Empty if neither is set. @throws UsageError */
export function readSecret(env: NodeJS.ProcessEnv, name: string): string {
  try {
    return readSetting(env, name, { isSecret: true }).text;
  } catch (error) {
    if (error instanceof SettingProblem) throw new UsageError(error.message);
    throw error;
  }
}

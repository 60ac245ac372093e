import { LauncherFailure } from '../launcher-failure.ts';

/**
 * Returns the value of a variable in an env file.
 * @throws LauncherFailure if it is missing
 */
export function readVariable(env: string, name: string): string {
  const [, value] = lineOf(name).exec(env) ?? [];
  if (value) return value;
  throw new LauncherFailure(`${name} is not set in the env file.`);
}

/** Returns the env file with another value of a variable that it has. */
export function writeVariable(env: string, name: string, value: string): string {
  return env.replace(lineOf(name), () => `${name}=${value}`);
}

function lineOf(name: string): RegExp {
  return new RegExp(`^${name}=(.*)$`, 'm');
}

import { readFileSync } from 'node:fs';

/** One wrong variable. The message is complete, and never contains the text of a secret. */
export class SettingProblem extends Error {}

/**
 * Returns the text of a variable without the space around it, and what an error calls it. A secret can be in a file, as in the
 * official images of Docker: `NAME_FILE` is the path.
 *
 * @throws SettingProblem
 */
export function readSetting(
  env: Record<string, string | undefined>,
  name: string,
  { isSecret }: { isSecret: boolean },
): { text: string; source: string } {
  const text = env[name]?.trim() ?? '';
  const path = isSecret ? (env[fileVariable(name)]?.trim() ?? '') : '';
  if (path === '') return { text, source: name };
  if (text !== '')
    throw new SettingProblem(`${name} and ${fileVariable(name)} are both set. Remove one of them.`);
  return { text: readSecretFile(name, path), source: `${name} in the file ${path}` };
}

/** Name of the variable that has the path of the file with the secret. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

function readSecretFile(name: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const [reason] = (error as Error).message.split(', ');
    throw new SettingProblem(`${fileVariable(name)} is ${path}, which cannot be read (${reason}).`);
  }
  if (text === '') throw new SettingProblem(`${fileVariable(name)} is ${path}, which is empty.`);
  return text;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ConfigError, commonVariables, integer, readConfig, text } from './config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file as an orchestrator mounts a secret. */
function mount(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const token = text('TOKEN', { isSecret: true, default: 'none' });

it('a process reads a secret from the file that NAME_FILE names, without the newline at its end', () => {
  const TOKEN_FILE = mount('token', 'hunter2 and more\n');
  expect(readConfig({ TOKEN_FILE }, { token })).toEqual({ token: 'hunter2 and more' });
});

it('a process reads a secret from the environment when NAME_FILE is absent or empty', () => {
  expect(readConfig({ TOKEN: 'hunter2', TOKEN_FILE: '' }, { token })).toEqual({ token: 'hunter2' });
  expect(readConfig({}, { token })).toEqual({ token: 'none' });
});

it('a process rejects a secret that is both in the environment and in a file', () => {
  const TOKEN_FILE = mount('token', 'hunter2');
  expect(problemsOf(() => readConfig({ TOKEN: 'hunter3', TOKEN_FILE }, { token }))).toEqual([
    'TOKEN and TOKEN_FILE are both set. Remove one of them.',
  ]);
});

it('a process reports a file that it cannot read with its variable, path, and reason, among the other problems', () => {
  const path = join(folder, 'absent');
  const env = { TOKEN_FILE: path, COUNT: 'many', NATS_URL_FILE: folder };
  const variables = {
    token,
    count: integer('COUNT', { min: 1, max: 2 }),
    natsUrl: commonVariables.natsUrl,
  };
  expect(problemsOf(() => readConfig(env, variables))).toEqual([
    `TOKEN_FILE is ${path}, which cannot be read (ENOENT: no such file or directory).`,
    'COUNT must be a whole number from 1 to 2, not "many".',
    `NATS_URL_FILE is ${folder}, which cannot be read (EISDIR: illegal operation on a directory).`,
  ]);
});

it('a process rejects an empty file, which is a secret that was not mounted', () => {
  const TOKEN_FILE = mount('empty', '\n');
  expect(problemsOf(() => readConfig({ TOKEN_FILE }, { token }))).toEqual([
    `TOKEN_FILE is ${TOKEN_FILE}, which is empty.`,
  ]);
});

it('a process names the file of a wrong value, and never shows its content', () => {
  const NATS_URL_FILE = mount('nats', 'https://user:hunter2@nats');
  const [problem] = problemsOf(() => readConfig({ NATS_URL_FILE }, { natsUrl: commonVariables.natsUrl }));
  expect(problem).toContain(
    `NATS_URL in the file ${NATS_URL_FILE} must be an address that starts with nats://`,
  );
  expect(problem).not.toContain('hunter2');
});

it('a process reads no file for a variable that holds no secret', () => {
  const NAME_FILE = mount('name', 'from a file');
  expect(readConfig({ NAME_FILE }, { name: text('NAME', { default: 'default' }) })).toEqual({
    name: 'default',
  });
});

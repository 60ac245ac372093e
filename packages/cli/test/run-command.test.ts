import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { runCommand } from '../src/run-command.ts';
import { testTerminal } from './support/test-terminal.ts';

async function run(...words: string[]) {
  const terminal = testTerminal({ env: { TOLLGATE_CONFIG_DIR: '/nowhere' } });
  const code = await runCommand(words, terminal);
  return { code, out: terminal.printed.join('\n'), err: terminal.errors.join('\n') };
}

it('tollgate prints its version', async () => {
  expect(await run('--version')).toEqual({ code: 0, out: manifest.version, err: '' });
});

it.each([['--help'], ['-h'], ['help']])('tollgate lists the commands with %s', async (word) => {
  const { code, out } = await run(word);
  expect(code).toBe(0);
  expect(out).toContain('  endpoints      manages webhook endpoints');
});

it.each([[['help', 'keys']], [['keys', '--help']], [['keys', 'create', '-h']]])(
  'tollgate prints the usage of a command with %j',
  async (words) => {
    const { code, out } = await run(...words);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: tollgate keys /);
  },
);

it('tollgate without a command lists them, and fails', async () => {
  expect(await run()).toMatchObject({ code: 2, out: expect.stringContaining('Usage: tollgate') });
});

it.each([[['logni']], [['help', 'logni']]])('tollgate rejects an unknown command (%j)', async (words) => {
  const { code, err } = await run(...words);
  expect(code).toBe(2);
  expect(err).toMatch(/^Unknown command "logni"\.\n\nUsage: tollgate <command>/);
});

it('tollgate shows the usage after wrong arguments', async () => {
  const { code, err } = await run('keys', 'rotate');
  expect(code).toBe(2);
  expect(err).toMatch(/^rotate takes one key id\.\n\nUsage: tollgate keys /);
});

it.each([
  ['an unknown command', ['logni'], 'Unknown command "logni".'],
  ['wrong arguments', ['keys', 'rotate'], 'rotate takes one key id.'],
  ['no login', ['payments', 'list'], 'You are not signed in. Run tollgate login.'],
])('tollgate with --json prints an error for %s as JSON on standard output', async (_, words, message) => {
  const { code, out, err } = await run(...words, '--json');
  expect(code).toBe(2);
  expect(JSON.parse(out)).toEqual({ error: { message } });
  expect(err).toBe('');
});

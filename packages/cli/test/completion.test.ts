import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { EXIT_OK, EXIT_USAGE } from '../src/command.ts';
import { runCommand } from '../src/run-command.ts';
import { testTerminal } from './support/test-terminal.ts';

async function scriptFor(shell: string): Promise<string> {
  const terminal = testTerminal();
  expect(await runCommand(['completion', shell], terminal)).toBe(EXIT_OK);
  return terminal.printed.join('\n');
}

/** What bash offers after these words. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `${await scriptFor('bash')}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _tollgate
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
}

it('the completion in bash offers commands, then their actions and options', async () => {
  expect(await offered('tollgate', 'lo')).toEqual(['login', 'logout']);
  expect(await offered('tollgate', 'keys', 'r')).toEqual(['rotate', 'revoke']);
  expect(await offered('tollgate', 'listen', '--f')).toEqual(['--forward-to', '--from']);
  expect(await offered('tollgate', 'processor', '--call')).toEqual(['--callback-host', '--callback-port']);
});

it.each(['zsh', 'fish'])('the completion for %s names every command', async (shell) => {
  const script = await scriptFor(shell);
  for (const word of ['listen', 'verify-audit', '--forward-to', 'rotate']) expect(script).toContain(word);
});

it('the completion for another shell is rejected', async () => {
  expect(await runCommand(['completion', 'tcsh'], testTerminal())).toBe(EXIT_USAGE);
});

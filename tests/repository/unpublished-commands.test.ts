import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command from the public registry where it is not installed. */
const RUNNER = '(npx|bunx|npm (exec|x|create|init)|(pnpm|yarn) (dlx|create))';
const OPTIONS = '( +-[^ ]*)* +["\']?';

/**
 * The packages are private. On the registry, anyone can publish a package with the name of one of their commands, and
 * a person who follows the docs would run it.
 */
it('no committed file suggests to run an unpublished command from the registry', () => {
  const commands = globSync('packages/*/package.json', { cwd: ROOT }).flatMap((path) => {
    const { bin = {} } = JSON.parse(readFileSync(`${ROOT}/${path}`, 'utf8')) as { bin?: object };
    return Object.keys(bin);
  });
  expect(commands).toContain('tollgate');

  const pattern = `${RUNNER}${OPTIONS}(@tollgate/|(${commands.join('|')})([^a-z]|$))`;
  const found = spawnSync('git', ['grep', '-nIE', '--untracked', pattern], { cwd: ROOT, encoding: 'utf8' });
  expect(found).toMatchObject({ stdout: '', stderr: '', status: 1 });
});

it('npm run tollgate runs the command of the checkout without the registry', () => {
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
  const run = spawnSync('npm', ['run', '--silent', 'tollgate', '--', '--help'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  expect(run.stdout).toContain('verify-audit');
  expect(run.status).toBe(0);
});

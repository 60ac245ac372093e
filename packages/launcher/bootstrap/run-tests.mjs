import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { waitForExit } from './child-process.mjs';
import { SetupFailure } from './setup-failure.mjs';

/**
 * `npm test`: linter and formatter, types of every workspace, tests of every workspace, in order of how fast they fail.
 * @param {string} root folder of the checkout
 * @param {string} node path of Node 26
 * @param {string[]} args for turbo, such as `--filter=@tollgate/payments`, and after `--` for the test runner
 * @returns {Promise<number>} exit code of the first step that fails, otherwise 0
 */
export async function runTests(root, node, args) {
  const bin = join(root, 'node_modules', '.bin');
  const separator = args.indexOf('--');
  const selection = separator === -1 ? args : args.slice(0, separator);
  const runnerArgs = separator === -1 ? [] : args.slice(separator);
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(delimiter),
    ...(await chooseInfra(root, node)),
    // Keeps turbo and vitest from storing settings in the home folder.
    XDG_DATA_HOME: join(root, '.cache', 'share'),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    TURBO_CONFIG_DIR_PATH: join(root, '.cache', 'turbo'),
  };
  // Loose: strict mode would hide TEST_INFRA, NATS_SERVER and DOCKER_HOST from the tests.
  const turbo = ['run', '--ui=stream', '--env-mode=loose', ...selection];
  const steps = [
    // Keeps biome's cache out of the home folder.
    { command: 'biome', args: ['check', '.'], env: { XDG_CACHE_HOME: join(root, '.cache') } },
    { command: 'node', args: ['packages/prose-lint/src/main.ts'] },
    { command: 'turbo', args: [...turbo, 'typecheck'] },
    // After the types: SvelteKit's are generated with them.
    { command: 'knip', args: ['--no-config-hints'] },
    // One workspace at a time, because tests measure time and start servers. All of them, so that one run shows every
    // failure.
    { command: 'turbo', args: [...turbo, 'test', '--concurrency=1', '--continue', ...runnerArgs] },
  ];
  for (const step of steps) {
    const child = spawn(join(bin, step.command), step.args, {
      cwd: root,
      env: { ...env, ...step.env },
      stdio: 'inherit',
    });
    const exitCode = await waitForExit(child);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

/**
 * Decides once for the whole run, before many test processes start, and prints the decision.
 * @returns {Promise<Record<string, string>>} environment variables for the tests
 */
async function chooseInfra(root, node) {
  const child = spawn(node, [join(root, 'packages/test-kit/src/choose-infra.ts')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let chosen = null;
  child.once('message', (message) => {
    chosen = message;
  });
  const exitCode = await waitForExit(child);
  if (exitCode !== 0 || chosen === null) {
    throw new SetupFailure('The tests were not run: see above for what they need.', []);
  }
  return chosen;
}

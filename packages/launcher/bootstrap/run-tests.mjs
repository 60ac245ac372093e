import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { waitForExit } from './child-process.mjs';
import { SetupFailure } from './setup-failure.mjs';
import { printTests } from './test-failures.mjs';
import { summarizeTests } from './test-summary.mjs';

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
    // The output is read on its way to the terminal.
    ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    // Keeps turbo and vitest from storing settings in the home folder.
    XDG_DATA_HOME: join(root, '.cache', 'share'),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    TURBO_CONFIG_DIR_PATH: join(root, '.cache', 'turbo'),
  };
  /** @param {{ command: string, args: string[], env?: Record<string, string> }} step */
  const run = ({ command, args, env: stepEnv }) =>
    waitForExit(
      spawn(join(bin, command), args, { cwd: root, env: { ...env, ...stepEnv }, stdio: 'inherit' }),
    );

  for (const check of checks(root, selection)) {
    const exitCode = await run(check);
    if (exitCode !== 0) return exitCode;
  }
  const startedAtMs = Date.now();
  const failures = [];
  let exitCode = 0;
  // All of them, so that one run shows every failure, unless a signal ended one.
  for (const args of suites(selection, runnerArgs)) {
    if (exitCode >= FIRST_SIGNAL_EXIT_CODE) break;
    const turbo = spawn(join(bin, 'turbo'), args, { cwd: root, env, stdio: ['inherit', 'pipe', 'inherit'] });
    const [suiteExitCode, suiteFailures] = await Promise.all([
      waitForExit(turbo),
      printTests(turbo.stdout, (text) => process.stdout.write(text)),
    ]);
    exitCode = suiteExitCode || exitCode;
    failures.push(...suiteFailures);
  }
  const minutes = (Date.now() - startedAtMs) / 60_000;
  const summary = [...failures, '', ...(await summarizeTests(root, startedAtMs))];
  process.stdout.write(`${summary.join('\n')}\n\nThe tests took ${minutes.toFixed(1)} minutes.\n`);
  return exitCode;
}

// Loose: strict mode would hide TEST_INFRA, NATS_SERVER and DOCKER_HOST from the tests.
const TURBO = ['run', '--ui=stream', '--env-mode=loose'];
const FIRST_SIGNAL_EXIT_CODE = 128;
/** Workspaces whose tests run the whole platform. */
const PLATFORM_TESTS = ['@tollgate/launcher', '@tollgate/tests'];

/**
 * @param {string} root
 * @param {string[]} selection
 */
function checks(root, selection) {
  return [
    // Keeps biome's cache out of the home folder.
    { command: 'biome', args: ['check', '.'], env: { XDG_CACHE_HOME: join(root, '.cache') } },
    { command: 'node', args: ['packages/prose-lint/src/main.ts'] },
    { command: 'turbo', args: [...TURBO, ...selection, 'typecheck'] },
    { command: 'turbo', args: [...TURBO, 'typecheck:node'] },
    // After the types of all workspaces: it needs those of SvelteKit, which are generated with the dashboard's.
    ...(selection.length === 0 ? [{ command: 'knip', args: ['--no-config-hints'] }] : []),
  ];
}

/**
 * Two workspaces at a time, because much of their time is waiting. Then those that run the whole platform, each alone:
 * they measure time, and serve the build of the dashboard that the dashboard's own tests replace.
 * @param {string[]} selection
 * @param {string[]} runnerArgs
 * @returns {string[][]} arguments for turbo
 */
function suites(selection, runnerArgs) {
  const test = [...TURBO, 'test', '--continue', '--summarize'];
  if (selection.length > 0) return [[...test, '--concurrency=1', ...selection, ...runnerArgs]];
  return [
    [...PLATFORM_TESTS.map((name) => `--filter=!${name}`), '--concurrency=2', '--log-order=grouped'],
    [...PLATFORM_TESTS.map((name) => `--filter=${name}`), '--concurrency=1'],
  ].map((args) => [...test, ...args, ...runnerArgs]);
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
    throw new SetupFailure('The tests did not run. See above for what they require.', []);
  }
  return chosen;
}

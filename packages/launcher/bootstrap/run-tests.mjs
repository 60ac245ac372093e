import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { affectedFolders } from './affected-folders.mjs';
import { waitForExit } from './child-process.mjs';
import { SetupFailure } from './setup-failure.mjs';

/** What a tier runs, printed at its start. `checks` are the linters and the types. */
const TIERS = {
  test: {
    name: 'fast',
    checks: true,
    leavesOut:
      'npm test runs the linters, the types, the tests of every package, and one journey through the whole platform for each capability.\n' +
      'It leaves out every folder named `system`: matrices, every page, attacks, faults, mixed versions, guides, and containers. ' +
      'Run npm run test:system for these.',
  },
  'test:system': {
    name: 'system',
    checks: false,
    leavesOut:
      'npm run test:system runs every folder named `system`. It leaves out what npm test runs, and the long forms: npm run test:long, ' +
      'npm run soak --workspace tests, and npm run operator-trial --workspace tests.',
  },
};

/**
 * `npm test` and `npm run test:system`: linters and formatter, types, builds, and tests, in order of how fast they fail.
 * @param {string} root folder of the checkout
 * @param {string} node path of Node 26
 * @param {keyof typeof TIERS} command
 * @param {string[]} args `--affected`, and filters and options of vitest, such as `services/payments`
 * @returns {Promise<number>} exit code of the first step that fails, otherwise 0
 */
export async function runTests(root, node, command, args) {
  const tier = TIERS[command];
  process.stdout.write(`${tier.leavesOut}\n\n`);
  const bin = join(root, 'node_modules', '.bin');
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(delimiter),
    TEST_TIER: tier.name,
    // Keeps turbo, vitest, and biome from storing settings in the home folder.
    XDG_DATA_HOME: join(root, '.cache', 'share'),
    XDG_CACHE_HOME: join(root, '.cache'),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    TURBO_CONFIG_DIR_PATH: join(root, '.cache', 'turbo'),
  };
  const filters = args.filter((arg) => arg !== '--affected');
  if (args.includes('--affected')) {
    // The rules of files and documents are quick, and documents belong to no package.
    filters.push(...(await affectedFolders(join(bin, 'turbo'), root, env)), 'tests/repository/');
  }
  const infra = await chooseInfra(root, node);
  for (const [program, ...programArgs] of steps(tier, filters)) {
    const child = spawn(join(bin, program), programArgs, {
      cwd: root,
      env: { ...env, ...infra },
      stdio: 'inherit',
    });
    const exitCode = await waitForExit(child);
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

/**
 * @param {{ checks: boolean }} tier
 * @param {string[]} filters
 * @returns {string[][]} commands
 */
function steps({ checks }, filters) {
  const turbo = ['turbo', 'run', '--ui=stream', '--output-logs=errors-only'];
  const build = [
    [...turbo, 'build', '--filter=@tollgate/sdk', '--filter=@tollgate/cli'],
    ['node', 'packages/launcher/src/dashboard-build/main.ts'],
  ];
  const vitest = ['vitest', 'run', ...filters];
  if (!checks) return [...build, vitest];
  return [
    ['biome', 'check', '.'],
    ['node', 'packages/prose-lint/src/main.ts'],
    ...build,
    ['node', 'dashboard/scripts/bundle-size.ts'],
    [...turbo, 'typecheck', 'typecheck:node'],
    // After the types of the dashboard, which are generated with them.
    ['knip', '--no-config-hints'],
    vitest,
  ];
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

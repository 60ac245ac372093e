import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { waitForExit } from './child-process.mjs';
import { SetupFailure } from './setup-failure.mjs';

const PROGRESS_INTERVAL_MS = 15_000;
const SHOWN_NPM_LINES = 15;
/** npm's default retries take more than a minute to report a missing network. */
const RETRIES = ['--fetch-retries=3', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];

const say = (line) => process.stdout.write(`${line}\n`);

/**
 * Runs npm in the checkout and reports progress. Its output is shown only if it fails.
 * @param {string} root folder of the checkout
 * @param {string[]} args
 * @returns {Promise<number>} duration in seconds
 * @throws {SetupFailure} with the cause and the remedies
 */
export async function runNpm(root, args) {
  const startedAt = Date.now();
  const elapsedS = () => Math.round((Date.now() - startedAt) / 1000);
  const npm = npmCommand(root);
  const child = spawn(
    npm.command,
    [...npm.args, ...args, '--no-audit', '--no-fund', '--no-progress', ...RETRIES],
    {
      cwd: root,
      env: { ...process.env, PATH: npm.path },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const progress = setInterval(() => say(`  still installing (${elapsedS()} s)…`), PROGRESS_INTERVAL_MS);
  try {
    const exitCode = await waitForExit(child);
    if (exitCode !== 0) throw failure(root, args[0], exitCode, complaints);
  } catch (error) {
    if (error?.code === 'ENOENT') {
      throw new SetupFailure('npm was not found.', [
        'Install Node with npm from https://nodejs.org, then run the command again.',
      ]);
    }
    throw error;
  } finally {
    clearInterval(progress);
  }
  return elapsedS();
}

/**
 * The npm that runs this script, otherwise the one on PATH. Never through node_modules/.bin/node: `npm ci` deletes that
 * first, and with it the program that runs it.
 */
function npmCommand(root) {
  const inside = join(root, 'node_modules') + sep;
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.startsWith(inside));
  const path = folders.join(delimiter);
  const running = process.env.npm_execpath;
  if (running?.endsWith('npm-cli.js') && existsSync(running)) {
    const node = folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file));
    return { command: node ?? process.execPath, args: [running], path };
  }
  return { command: 'npm', args: [], path };
}

/** npm's exit code does not show the cause, but the error code in its output does. */
const CAUSES = [
  {
    pattern: /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/,
    what: 'Packages were not installed: the npm registry could not be reached.',
    remedy:
      'Check the network, and `npm config get registry` and `npm config get https-proxy`, then run the command again.',
  },
  {
    pattern: /\b(EUSAGE)\b/,
    what: 'Packages were not installed: package-lock.json does not match the package.json files.',
    remedy: 'Run `npm install`, and commit the package-lock.json it writes.',
  },
  {
    pattern: /\b(EACCES|EPERM|EROFS)\b/,
    what: 'Packages were not installed: you do not have write access to a file or folder.',
    remedy:
      'Check who owns the path above. It may belong to another user, for example after an earlier run as root.',
  },
  {
    pattern: /\bENOSPC\b/,
    what: 'Packages were not installed: the disk is full.',
    remedy: 'Packages take up to 1 GB. Free some space, then run the command again.',
  },
];

function failure(root, subcommand, exitCode, complaints) {
  const lines = complaints.split('\n').filter((line) => line.startsWith('npm error'));
  process.stderr.write(`${lines.slice(0, SHOWN_NPM_LINES).join('\n')}\n`);
  if (exitCode > 128) {
    return new SetupFailure('The installation of packages was interrupted.', ['Run the command again.']);
  }
  const cause = CAUSES.find(({ pattern }) => pattern.test(complaints));
  if (cause) return new SetupFailure(cause.what, [cause.remedy]);
  return new SetupFailure(`Packages were not installed: \`npm ${subcommand}\` ended with code ${exitCode}.`, [
    `Run \`npm ${subcommand}\` in ${root} to see its full output.`,
  ]);
}

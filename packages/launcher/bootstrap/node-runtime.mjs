import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SetupFailure } from './setup-failure.mjs';

/** TypeScript runs directly from this version on, and the platform is tested with it. */
const REQUIRED_NODE = 26;
const PROBE_TIMEOUT_MS = 10_000;

/**
 * The Node that runs the platform: the pinned npm package `node`, else the running one when it is new enough.
 * @param {string} root the checkout
 * @returns {string} path of the executable
 */
export function findNode(root) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  for (const candidate of [pinned, process.execPath]) {
    if (majorVersion(candidate) >= REQUIRED_NODE) return candidate;
  }
  // The package downloads the executable in its install script, and that is built against glibc.
  throw new SetupFailure(
    `Node ${REQUIRED_NODE} is missing: the npm package \`node\` brought none that runs here.`,
    [
      'Where install scripts are switched off (ignore-scripts): npm rebuild node --ignore-scripts=false',
      `Where it does not run (musl, as on Alpine; an unusual processor): install Node ${REQUIRED_NODE} yourself and start with it.`,
    ],
  );
}

/** @returns {number} 0 when it does not run */
function majorVersion(executable) {
  const { stdout, status } = spawnSync(executable, ['--version'], {
    encoding: 'utf8',
    timeout: PROBE_TIMEOUT_MS,
  });
  return status === 0 ? Number.parseInt(stdout.replace('v', ''), 10) : 0;
}

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isMissingLibrary, provideMissingLibrary } from './missing-library.mjs';
import { SetupFailure } from './setup-failure.mjs';

/** The first version that runs TypeScript directly and that the platform is tested with. */
const REQUIRED_NODE = 26;
const PROBE_TIMEOUT_MS = 10_000;

const { platform, arch } = process;
/** The npm package with Node for this platform. It has another prefix on a Mac with Apple silicon. */
export const NODE_PACKAGE = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;

/**
 * Finds the Node that runs the platform: the pinned one of the npm package, or the current one if it is new enough. Sets
 * LD_LIBRARY_PATH of this process, which its children inherit, if the pinned one needs it.
 * @param {string} root folder of the checkout
 * @returns {Promise<string>} path of the executable
 */
export async function findNode(root) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  let found = probe(pinned);
  if (found.major >= REQUIRED_NODE) return pinned;
  if (probe(process.execPath).major >= REQUIRED_NODE) return process.execPath;
  if (isMissingLibrary(found.problem)) {
    const folder = await provideMissingLibrary(root);
    if (folder !== null) {
      process.env.LD_LIBRARY_PATH = [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
      found = probe(pinned);
      if (found.major >= REQUIRED_NODE) return pinned;
    }
  }
  throw new SetupFailure(`Node ${REQUIRED_NODE} is missing: ${found.problem}.`, [
    ...remediesFor(found.problem),
    `Or install Node ${REQUIRED_NODE} yourself (https://nodejs.org) and run the command with it.`,
  ]);
}

/** @returns {{ major: number, problem: string }} major is 0 if it does not run, and problem is the reason */
function probe(executable) {
  if (!existsSync(executable)) return { major: 0, problem: `npm did not install ${NODE_PACKAGE}` };
  const { stdout, stderr, status, error } = spawnSync(executable, ['--version'], {
    encoding: 'utf8',
    timeout: PROBE_TIMEOUT_MS,
  });
  if (status === 0)
    return { major: Number.parseInt(stdout.replace('v', ''), 10), problem: `this is ${stdout.trim()}` };
  const [reason = ''] = (stderr || error?.message || '').split('\n');
  return {
    major: 0,
    problem: `the executable of ${NODE_PACKAGE} does not run on this system (${reason})`,
  };
}

function remediesFor(problem) {
  if (isMissingLibrary(problem)) return ['Install the missing library: apt-get install libatomic1'];
  if (problem.includes('did not install')) {
    return [
      'If npm could not download it, run the command again. The registry has no such package for some platforms.',
    ];
  }
  return [
    'The executable requires glibc and a common processor architecture. It does not run on systems with musl (Alpine).',
  ];
}

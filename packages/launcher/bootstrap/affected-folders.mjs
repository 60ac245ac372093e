import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SetupFailure } from './setup-failure.mjs';

const BASE = 'main';

/**
 * The folders of the packages that differ from the merge base with main, also by changes that are not committed, and of those that depend on
 * them.
 * @param {string} turbo path of the program
 * @param {string} root folder of the checkout
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<string[]>} with a slash at the end, so that `services/audit/` is not also a filter for `services/audit-log`
 */
export async function affectedFolders(turbo, root, env) {
  const options = { cwd: root, env: { ...env, TURBO_SCM_BASE: BASE }, maxBuffer: 16 * 1024 * 1024 };
  await requireBase(options);
  const { stdout } = await promisify(execFile)(turbo, ['ls', '--affected', '--output=json'], options);
  return JSON.parse(stdout).packages.items.map(({ path }) => `${path}/`);
}

async function requireBase(options) {
  try {
    await promisify(execFile)('git', ['merge-base', BASE, 'HEAD'], options);
  } catch {
    throw new SetupFailure(`--affected compares with the branch ${BASE}, which this clone does not have.`, [
      `Fetch it: git fetch origin ${BASE}:${BASE}`,
    ]);
  }
}

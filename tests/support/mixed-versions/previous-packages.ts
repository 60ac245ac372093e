import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';

const run = promisify(execFile);

/** An entry of package-lock.json. */
interface LockedPackage {
  version?: string;
  integrity?: string;
  /** Folder of a workspace, if `link` is true. */
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
}

type LockedPackages = Record<string, LockedPackage>;

/** Both versions run on the Node of this checkout. */
const NODE = /^node_modules\/node(-bin-setup)?$/;

/**
 * Provides the packages of a worktree inside this checkout. Its own workspaces are linked, so that its code imports its
 * own code. Node finds all other packages in the node_modules of the checkout around it, if they are the same;
 * otherwise npm installs them in the worktree.
 */
export async function providePackages(worktree: string): Promise<void> {
  const wanted = await lockedPackages(join(worktree, 'package-lock.json'));
  const installed = join('node_modules', '.package-lock.json');
  if (existsSync(join(worktree, installed))) return;
  if (areInstalled(wanted, await lockedPackages(join(CHECKOUT_DIR, installed))))
    await linkWorkspaces(worktree, wanted);
  else
    await run('npm', ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], { cwd: worktree });
}

async function lockedPackages(path: string): Promise<LockedPackages> {
  return (JSON.parse(await readFile(path, 'utf8')) as { packages: LockedPackages }).packages;
}

/** True if every package that the processes need is installed in the same version and place. */
function areInstalled(wanted: LockedPackages, installed: LockedPackages): boolean {
  return Object.entries(wanted).every(([path, { version, integrity, link, dev, optional }]) => {
    if (!path.includes('node_modules/') || link || dev || NODE.test(path)) return true;
    const present = installed[path];
    // Packages for other platforms are listed but not installed.
    if (present === undefined) return optional === true;
    // Those of a single workspace are not found from the worktree.
    return path.startsWith('node_modules/') && present.version === version && present.integrity === integrity;
  });
}

async function linkWorkspaces(worktree: string, locked: LockedPackages): Promise<void> {
  for (const [path, { link, resolved }] of Object.entries(locked)) {
    // Another run may already use them.
    if (!link || resolved === undefined || existsSync(join(worktree, path))) continue;
    await mkdir(join(worktree, dirname(path)), { recursive: true });
    await symlink(join(worktree, resolved), join(worktree, path), 'dir');
  }
}

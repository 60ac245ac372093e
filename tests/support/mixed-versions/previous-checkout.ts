import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { type FileLock, tryLockFile } from '@tollgate/runtime/file-lock';
import { providePackages } from './previous-packages.ts';
import { PREVIOUS_VERSION } from './previous-version.ts';
import { checkOutWorktree } from './worktree.ts';

/** In the checkout: Node finds the checkout's node_modules from there. */
const PARENT = join(CHECKOUT_DIR, '.cache', 'previous');
const LOCK_POLL_MS = 250;

/**
 * Checks out the previous version, with its packages.
 * @returns its folder
 */
export async function checkOutPreviousVersion(): Promise<string> {
  await mkdir(PARENT, { recursive: true });
  const lock = await waitForLock();
  try {
    const folder = join(PARENT, 'worktree');
    await checkOutWorktree(CHECKOUT_DIR, PREVIOUS_VERSION, folder);
    await providePackages(folder);
    return folder;
  } finally {
    lock.release();
  }
}

/** Another run may be installing packages. The timeout of the test ends the wait. */
async function waitForLock(): Promise<FileLock> {
  for (;;) {
    const lock = tryLockFile(join(PARENT, 'lock'));
    if (lock !== null) return lock;
    await delay(LOCK_POLL_MS);
  }
}

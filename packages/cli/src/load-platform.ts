import { UsageError } from './command.ts';

/*
 * These modules use node:sqlite, which only the Node of the platform has. So they are not part of the built program, which also runs on
 * Node 20: package.json names them as external.
 */

/** @throws UsageError outside of a checkout */
export function loadEmbeddedServer() {
  return inCheckout(() => import('@tollgate/embedded-mongodb'));
}

/** @throws UsageError outside of a checkout */
export function loadLauncherLock() {
  return inCheckout(() => import('@tollgate/launcher/launcher-lock'));
}

async function inCheckout<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'This command needs the embedded server. Run it in a checkout (npm run tollgate) or in the image.',
    );
  }
}

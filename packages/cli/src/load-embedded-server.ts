import { UsageError } from './command.ts';

/**
 * The embedded server uses what only the Node of the platform has, so it is not part of the built program, which also runs on Node 20.
 * @throws UsageError outside of a checkout
 */
export async function loadEmbeddedServer() {
  try {
    return await import('@tollgate/embedded-mongodb');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'This command needs the embedded server. Run it in a checkout (npm run tollgate) or in the image.',
    );
  }
}

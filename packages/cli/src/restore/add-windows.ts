import { constants } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listWindows } from '../backup/copy-usage.ts';

const GATEWAY_ID = 'gateway-id';

/**
 * Adds the windows of usage in a backup, which its databases may lack, to the spool of the gateways. Windows that the spool has stay:
 * they are newer. Sending a window again changes nothing. Resolves to the number of windows added.
 */
export async function addWindows(from: string, spool: string): Promise<number> {
  let added = 0;
  for (const [instance, numbers] of await listWindows(from)) {
    const [source, target] = [join(from, instance), join(spool, instance)];
    await mkdir(target, { recursive: true, mode: 0o700 });
    await copyIfMissing(join(source, GATEWAY_ID), join(target, GATEWAY_ID));
    // Each gateway numbers its own windows: the spool must not mix those of two gateways.
    const ids = await Promise.all(
      [source, target].map((folder) => readFile(join(folder, GATEWAY_ID), 'utf8')),
    );
    if (ids[0] !== ids[1]) continue;
    for (const number of numbers) {
      const name = `${String(number).padStart(12, '0')}.window`;
      if (await copyIfMissing(join(source, name), join(target, name))) added += 1;
    }
  }
  return added;
}

/** Resolves to whether it was missing. */
async function copyIfMissing(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

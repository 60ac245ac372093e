import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataPaths } from '@tollgate/launcher/data-dir';
import { UsageError } from '../command.ts';
import { DATA_FILE } from './manifest.ts';

/**
 * Rejects a folder that has no data, which is not that of an installation, or of one that uses another server.
 * @param ofOtherServer what to do with the data of that server @throws UsageError
 */
export async function requireDataFile({ mongodbDir }: DataPaths, ofOtherServer: string): Promise<void> {
  await access(join(mongodbDir, DATA_FILE)).catch(() => {
    throw new UsageError(
      `${mongodbDir} has no data. Pass the data folder of npm start or of the all-in-one container with --data-dir. ` +
        `If MONGODB_URL of the installation names another server, ${ofOtherServer}.`,
    );
  });
}

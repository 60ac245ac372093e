import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { formatVersion, isUsableServer, OLDEST_SUPPORTED } from './server-version.ts';
import type { SourceOptions } from './source.ts';

/** Returns the first usable server on `PATH`. */
export async function findServerOnPath({ env, say }: SourceOptions): Promise<string | null> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    const candidate = join(folder, 'nats-server');
    if (!(await isExecutable(candidate))) continue;
    if (await isUsableServer(candidate)) return candidate;
    say(
      `${candidate} is older than ${formatVersion(OLDEST_SUPPORTED)} or does not run. Continuing the search.`,
    );
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { formatVersion, isAtLeast, OLDEST_SUPPORTED, readServerVersion } from './server-version.ts';
import type { SourceOptions } from './source.ts';

/**
 * Returns the server in `NATS_SERVER`. An invalid path is an error instead of a fallback, because the user wants that
 * server.
 * @throws Error with the reason
 */
export async function findConfiguredServer({ env }: SourceOptions): Promise<string | null> {
  const path = env['NATS_SERVER'];
  if (path === undefined || path === '') return null;
  const version = await readServerVersion(path);
  if (version === null) {
    throw new Error(`NATS_SERVER is ${path}, which does not run as a nats-server. Correct it, or unset it.`);
  }
  if (!isAtLeast(version, OLDEST_SUPPORTED)) {
    throw new Error(
      `NATS_SERVER is ${path}, version ${formatVersion(version)}. Tollgate requires ${formatVersion(OLDEST_SUPPORTED)} or newer.`,
    );
  }
  return path;
}

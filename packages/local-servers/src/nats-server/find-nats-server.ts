import { findConfiguredServer } from './configured-server.ts';
import { fetchDistributionPackage } from './distribution-package.ts';
import { findServerOnPath } from './path-server.ts';
import { cachedServerPath, findCachedServer } from './server-cache.ts';
import { formatVersion, OLDEST_SUPPORTED, readServerVersion, type ServerVersion } from './server-version.ts';
import type { Source, SourceOptions } from './source.ts';
import { fetchVendorRelease } from './vendor-release.ts';

export interface NatsServer {
  path: string;
  version: ServerVersion;
}

const SOURCES: Source[] = [
  findConfiguredServer,
  findServerOnPath,
  findCachedServer,
  fetchVendorRelease,
  fetchDistributionPackage,
];

/**
 * Finds or downloads a nats-server. The first source that has one wins.
 * @throws NoNatsServerError if none has one
 */
export async function findNatsServer(options: SourceOptions, sources = SOURCES): Promise<NatsServer> {
  for (const source of sources) {
    const path = await source(options);
    if (path === null) continue;
    const version = await readServerVersion(path);
    if (version !== null) return { path, version };
  }
  throw new NoNatsServerError(options.cacheDir);
}

/** Its message tells the user how to get a server. */
export class NoNatsServerError extends Error {
  constructor(cacheDir: string) {
    super(
      [
        'Tollgate needs a nats-server, and none was found or could be fetched. Four ways to get one:',
        `  1. Install version ${formatVersion(OLDEST_SUPPORTED)} or newer so that it is on PATH: \`apt install nats-server\`, \`brew install nats-server\`,`,
        '     or https://github.com/nats-io/nats-server/releases. (NATS_SERVER=<path> names one that is elsewhere.)',
        `  2. Copy the executable to ${cachedServerPath(cacheDir)}.`,
        "  3. Allow access to github.com, from where the vendor's release is fetched and its checksum verified.",
        "  4. On Debian and Ubuntu, allow access to the package mirror, from where the distribution's package is fetched.",
        'Or use a server that runs elsewhere: NATS_URL=nats://<user>:<password>@<host>:4222 npm start',
      ].join('\n'),
    );
    this.name = 'NoNatsServerError';
  }
}

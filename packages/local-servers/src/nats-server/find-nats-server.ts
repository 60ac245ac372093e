import { findConfiguredServer } from './configured-server.ts';
import { fetchDistributionPackage } from './distribution-package.ts';
import { buildWithGo } from './go-build.ts';
import { findServerOnPath } from './path-server.ts';
import { cachedServerPath, findCachedRelease, findCachedServer } from './server-cache.ts';
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
  buildWithGo,
  fetchDistributionPackage,
];

/** Sources of tests: the release that Tollgate downloads, and only without it the server on `PATH` or another. */
export const RELEASE_FIRST: Source[] = [
  findConfiguredServer,
  findCachedRelease,
  fetchVendorRelease,
  buildWithGo,
  findServerOnPath,
  findCachedServer,
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
        'Tollgate requires a nats-server. None was found, and none could be downloaded. To get one, do one of the following:',
        `  1. Install version ${formatVersion(OLDEST_SUPPORTED)} or newer: \`apt install nats-server\`, \`brew install nats-server\`,`,
        '     or https://github.com/nats-io/nats-server/releases. If it is not on PATH, set NATS_SERVER=<path>.',
        `  2. Copy the executable to ${cachedServerPath(cacheDir)}.`,
        "  3. Allow access to github.com. The launcher downloads the vendor's release from there and verifies its checksum.",
        '     Or install Go, which builds the release.',
        "  4. On Debian and Ubuntu, allow access to the package mirror. The launcher downloads the distribution's package from there.",
        'Or use a server that is already running: NATS_URL=nats://<user>:<password>@<host>:4222 npm start',
      ].join('\n'),
    );
    this.name = 'NoNatsServerError';
  }
}

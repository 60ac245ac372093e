import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { addToCache } from './server-cache.ts';
import { formatVersion, RELEASE } from './server-version.ts';
import type { SourceOptions } from './source.ts';

const VERSION = formatVersion(RELEASE);

const TIMEOUT_MS = 600_000;

/** Builds the vendor's release if Go is installed, and stores the executable in the cache. Go writes nothing outside of it. */
export async function buildWithGo({ env, cacheDir, say }: SourceOptions): Promise<string | null> {
  if ((await runProgram('go', ['version'], { env })).exitCode !== 0) return null;
  return addToCache(cacheDir, async (scratchDir) => {
    say(`Building nats-server ${VERSION} with Go (about a minute)…`);
    const { exitCode, output } = await runProgram(
      'go',
      ['install', `github.com/nats-io/nats-server/v2@v${VERSION}`],
      {
        timeoutMs: TIMEOUT_MS,
        env: {
          ...env,
          CGO_ENABLED: '0',
          GOBIN: scratchDir,
          GOCACHE: join(scratchDir, 'build'),
          GOMODCACHE: join(scratchDir, 'modules'),
          GOPATH: join(scratchDir, 'go'),
          // By default, Go makes the folders of modules read-only, so that they could not be removed.
          GOFLAGS: '-modcacherw',
          // Fetches a newer Go if the release requires it.
          GOTOOLCHAIN: 'auto',
        },
      },
    );
    if (exitCode === 0) return join(scratchDir, 'nats-server');
    say(`  not built: ${output}`);
    return null;
  });
}

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { setGlobalProxyFromEnv } from 'node:http';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { addToCache } from './server-cache.ts';
import { formatVersion, RELEASE } from './server-version.ts';
import type { SourceOptions } from './source.ts';

const VERSION = formatVersion(RELEASE);

/**
 * SHA-256 of the release's archives from its SHA256SUMS file. Those for Linux are also in the official image's
 * Dockerfile (nats-io/nats-docker, 2.12.x). Change them together with the version.
 */
const SHA256_BY_PLATFORM: Record<string, string> = {
  'linux-amd64': '6abc397684567e133649688a13564ad6de786d64e88253fbb4f6a3aa8c2fca63',
  'linux-arm64': '7d20e93c23924cdd5cb6ec51c92f9478c97f9c8a0dbe049dd7ab88af115d622c',
  'darwin-amd64': '8880e133f45c6974468d351425db9a73ffe3b569850cad2bfbaa349d80939a7f',
  'darwin-arm64': '4556a7f617eb532587790344629a6a95261099b236524b764d1f10d6c14aba1a',
};

const RESPONSE_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;

/** Downloads the vendor's release, verifies its checksum, and stores the executable in the cache. */
export async function fetchVendorRelease({ env, cacheDir, say }: SourceOptions): Promise<string | null> {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const platform = `${process.platform}-${architecture}`;
  const expected = SHA256_BY_PLATFORM[platform];
  if (expected === undefined) return null;

  const name = `nats-server-v${VERSION}-${platform}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${VERSION}/${name}.tar.gz`;
  say(`Fetching nats-server ${VERSION} from github.com (about 7 MB)…`);
  let archive: Buffer;
  try {
    archive = await downloadByProxy(url, env);
  } catch (error) {
    say(`  not fetched: ${reason(error)}`);
    return null;
  }
  if (!matchesChecksum(archive, expected)) {
    say(`  not used: the checksum of the archive does not match release ${VERSION}`);
    return null;
  }
  return addToCache(cacheDir, async (scratchDir) => {
    const file = join(scratchDir, 'release.tar.gz');
    await writeFile(file, archive);
    const { exitCode, output } = await runProgram('tar', [
      '-xzf',
      file,
      '-C',
      scratchDir,
      `${name}/nats-server`,
    ]);
    if (exitCode === 0) return join(scratchDir, name, 'nats-server');
    say(`  not unpacked: ${output}`);
    return null;
  });
}

export function matchesChecksum(archive: Buffer, expectedSha256: string): boolean {
  return createHash('sha256').update(archive).digest('hex') === expectedSha256;
}

/** Uses the proxy in `HTTPS_PROXY` and `NO_PROXY`, if any. No other request of this process uses it. */
async function downloadByProxy(url: string, env: NodeJS.ProcessEnv): Promise<Buffer> {
  const restore = setGlobalProxyFromEnv(env);
  try {
    return await download(url);
  } finally {
    restore();
  }
}

/** A network that drops packets must not delay the other sources, but a slow one may take its time. */
async function download(url: string): Promise<Buffer> {
  const responseTimeout = new AbortController();
  const timer = setTimeout(
    () => responseTimeout.abort(new Error('github.com does not respond')),
    RESPONSE_TIMEOUT_MS,
  );
  const signal = AbortSignal.any([responseTimeout.signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
  const response = await fetch(url, { signal }).finally(() => clearTimeout(timer));
  if (!response.ok) throw new Error(`github.com responded with ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** fetch only reports "fetch failed". Its cause has the reason. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? `github.com: ${String(cause.code)}` : cause.message;
  return error.message;
}

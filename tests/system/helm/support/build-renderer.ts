import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unpackDebianPackage } from '@tollgate/local-servers/debian-package';

export interface RendererOptions {
  /** Folder of downloaded programs. */
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  /** Receives what is being downloaded, and why it failed. */
  say(line: string): void;
}

const SOURCE = join(import.meta.dirname, 'renderer/main.go');
const PACKAGES = ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev'];
const BUILD_TIMEOUT_MS = 300_000;
const run = promisify(execFile);

/**
 * Builds the renderer from the distribution's packages, which needs no root and installs nothing. Only the program stays
 * in the cache: Go takes 500 MB.
 */
export async function buildRenderer({ cacheDir, say }: RendererOptions): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const parent = join(cacheDir, 'helm-renderer');
  const version = createHash('sha256')
    .update(await readFile(SOURCE))
    .digest('hex')
    .slice(0, 12);
  const program = join(parent, `linux-${process.arch}-${version}`);
  if (existsSync(program)) return program;
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, 'building-'));
  try {
    for (const name of PACKAGES) {
      if (!(await unpackDebianPackage(name, scratch, say, { withDependencies: true }))) return null;
    }
    const built = join(scratch, 'renderer');
    await build(scratch, built);
    // Moved into place atomically, so that an interrupted build never leaves a partial program there.
    await rename(built, program);
    return program;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function build(unpacked: string, program: string): Promise<void> {
  // Dependencies that are installed were not unpacked.
  const goRoot = [join(unpacked, 'usr/lib/go'), '/usr/lib/go'].find((root) =>
    existsSync(join(root, 'bin/go')),
  );
  if (goRoot === undefined) throw new Error('The package golang-go has no program usr/lib/go/bin/go.');
  await run(join(goRoot, 'bin/go'), ['build', '-o', program, SOURCE], {
    timeout: BUILD_TIMEOUT_MS,
    env: {
      GOROOT: goRoot,
      // The distribution has libraries without modules.
      GO111MODULE: 'off',
      GOPATH: `${join(unpacked, 'usr/share/gocode')}:/usr/share/gocode`,
      GOCACHE: join(unpacked, 'go-cache'),
      GOTOOLCHAIN: 'local',
      CGO_ENABLED: '0',
      HOME: unpacked,
    },
  });
}

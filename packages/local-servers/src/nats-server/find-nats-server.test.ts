import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findConfiguredServer } from './configured-server.ts';
import { findNatsServer, NoNatsServerError, RELEASE_FIRST } from './find-nats-server.ts';
import { buildWithGo } from './go-build.ts';
import { findServerOnPath } from './path-server.ts';
import { addToCache, cachedServerPath, findCachedServer } from './server-cache.ts';
import { fetchVendorRelease, matchesChecksum } from './vendor-release.ts';

let folder: string;
let said: string[];
const say = (line: string) => said.push(line);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-find-nats-'));
  said = [];
});

/** An executable that responds to `--version` like a nats-server. */
function fakeServer(path: string, version: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho 'nats-server: v${version}'\n`);
  chmodSync(path, 0o755);
  return path;
}

const options = (env: NodeJS.ProcessEnv = {}) => ({ env, cacheDir: join(folder, 'cache'), say });

test('NATS_SERVER is used before any other source', async () => {
  const named = fakeServer(join(folder, 'named', 'my-nats'), '2.12.8');
  const onPath = fakeServer(join(folder, 'bin', 'nats-server'), '2.11.0');
  const env = { NATS_SERVER: named, PATH: dirname(onPath) };

  expect(await findNatsServer(options(env))).toEqual({
    path: named,
    version: { major: 2, minor: 12, patch: 8 },
  });
});

test('NATS_SERVER without a nats-server is an error, and no other source is used', async () => {
  const onPath = fakeServer(join(folder, 'bin', 'nats-server'), '2.11.0');
  const env = { NATS_SERVER: '/nowhere/nats-server', PATH: dirname(onPath) };

  await expect(findNatsServer(options(env))).rejects.toThrow('NATS_SERVER is /nowhere/nats-server');
});

test('NATS_SERVER with an old server is an error that says which version is required', async () => {
  const env = { NATS_SERVER: fakeServer(join(folder, 'old'), '2.2.0') };

  await expect(findConfiguredServer(options(env))).rejects.toThrow('requires 2.9.10 or newer');
});

test('PATH yields the first server that is new enough, and reports the skipped one', async () => {
  const old = fakeServer(join(folder, 'a', 'nats-server'), '2.9.9');
  const good = fakeServer(join(folder, 'b', 'nats-server'), '2.9.10');
  const env = { PATH: ['/nowhere', dirname(old), dirname(good)].join(':') };

  expect(await findServerOnPath(options(env))).toBe(good);
  expect(said.join()).toContain(old);
});

test('PATH yields nothing without a server', async () => {
  expect(await findServerOnPath(options({ PATH: folder }))).toBeNull();
  expect(await findServerOnPath(options({}))).toBeNull();
});

test('the cache yields what an earlier run stored', async () => {
  const { cacheDir } = options();
  await addToCache(cacheDir, async (scratch) => fakeServer(join(scratch, 'nats-server'), '2.12.8'));

  expect(await findCachedServer(options())).toBe(cachedServerPath(cacheDir));
});

test('the cache ignores an executable that does not run, and keeps nothing of a failed download', async () => {
  const { cacheDir } = options();
  const half = await addToCache(cacheDir, async (scratch) => {
    const path = join(scratch, 'nats-server');
    writeFileSync(path, 'half a download');
    return path;
  });
  await expect(addToCache(cacheDir, () => Promise.reject(new Error('interrupted')))).rejects.toThrow(
    'interrupted',
  );

  expect(half).toBeNull();
  expect(readdirSync(dirname(cachedServerPath(cacheDir)))).toEqual([]);
});

test("only the vendor's release is requested through the proxy of the environment", async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url);
    response.end('directly');
  });
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  expect(await fetchVendorRelease(options({ HTTPS_PROXY: url, HTTP_PROXY: url }))).toBeNull();
  expect(await (await fetch(`${url}/path`)).text()).toBe('directly');

  expect(asked).toEqual(['github.com:443', '/path']);
  expect(said.join()).toContain('not fetched');
  proxy.close();
});

/** A `go` that builds the server of this version, and prints where it may write. */
function fakeGo(version: string): string {
  const path = fakeServer(join(folder, 'go', 'go'), version);
  const build =
    'cp "$0" "$GOBIN/nats-server"; echo "$*" "$GOBIN" "$GOPATH" "$GOCACHE" "$GOMODCACHE" > "$GO_LOG"';
  writeFileSync(path, `${readFileSync(path, 'utf8')}if [ "$1" = install ]; then ${build}; fi\n`);
  return dirname(path);
}

test('Go builds the release into the cache, and writes nothing outside of it', async () => {
  const log = join(folder, 'log');
  const env = { PATH: `${fakeGo('2.12.8')}:${process.env['PATH']}`, GO_LOG: log, GOPATH: '/home/me/go' };
  const { cacheDir } = options();

  expect(await buildWithGo(options(env))).toBe(cachedServerPath(cacheDir));

  const [install, release, ...folders] = readFileSync(log, 'utf8').trim().split(' ');
  expect([install, release]).toEqual(['install', 'github.com/nats-io/nats-server/v2@v2.12.8']);
  expect(folders).toHaveLength(4);
  for (const path of folders) expect(path).toContain(cacheDir);
  expect(readdirSync(dirname(cachedServerPath(cacheDir)))).toEqual(['nats-server']);
});

test('without Go, nothing is built', async () => {
  expect(await buildWithGo(options({ PATH: folder }))).toBeNull();
  expect(said).toEqual([]);
});

test('tests use the release if the cache has it, and no other version of the cache, before the server in PATH', async () => {
  const onPath = fakeServer(join(folder, 'bin', 'nats-server'), '2.11.0');
  const { cacheDir } = options();
  const sources = RELEASE_FIRST.filter((source) => source !== fetchVendorRelease);
  const chosen = async () => (await findNatsServer(options({ PATH: dirname(onPath) }), sources)).path;
  const addVersion = (version: string) =>
    addToCache(cacheDir, async (scratch) => fakeServer(join(scratch, 'nats-server'), version));

  await addVersion('2.9.10');
  expect(await chosen()).toBe(onPath);
  await addVersion('2.12.8');
  expect(await chosen()).toBe(cachedServerPath(cacheDir));
});

test("an archive that differs from the vendor's by one byte is rejected", () => {
  const sha256OfHello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  expect(matchesChecksum(Buffer.from('hello'), sha256OfHello)).toBe(true);
  expect(matchesChecksum(Buffer.from('hellp'), sha256OfHello)).toBe(false);
});

test('without any source, the error lists the four ways to get a server', async () => {
  const none = async () => null;

  const error = await findNatsServer(options(), [none, none]).catch((error: unknown) => error);

  expect(error).toBeInstanceOf(NoNatsServerError);
  for (const way of [
    'on PATH',
    cachedServerPath(options().cacheDir),
    'github.com',
    'package mirror',
    'NATS_URL',
  ]) {
    expect((error as Error).message).toContain(way);
  }
});

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { packagesAreInstalled } from './install-packages.mjs';
import { NODE_PACKAGE } from './node-runtime.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-install-'));
});

const fastify = { version: '5.0.0', integrity: 'sha512-a' };
const forOtherPlatform = { version: '1.0.0', integrity: 'sha512-b', optional: true, os: ['darwin'] };
const WANTED = {
  '': { name: 'tollgate' },
  gateway: { version: '0.1.0' },
  'node_modules/fastify': fastify,
  'node_modules/only-on-mac': forOtherPlatform,
};
const DEV = { dev: true };

/** Creates a checkout with this package-lock.json, in which npm has recorded and unpacked these packages. */
function checkout(wanted, installed, unpacked = Object.keys(installed ?? {})) {
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  for (const path of unpacked) mkdirSync(join(root, path), { recursive: true });
  if (installed === null) return;
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
}

test('a fresh clone needs an install', () => {
  checkout(WANTED, null);
  expect(packagesAreInstalled(root, DEV)).toBe(false);
});

test('a completed install is not repeated, even if packages for other platforms are missing', () => {
  checkout(WANTED, { 'node_modules/fastify': fastify });
  expect(packagesAreInstalled(root, DEV)).toBe(true);
});

test('an install that was interrupted before npm recorded its completion is repeated', () => {
  checkout(WANTED, null, ['node_modules/fastify']);
  expect(packagesAreInstalled(root, DEV)).toBe(false);
});

test('a changed version or checksum in package-lock.json triggers an install', () => {
  for (const other of [{ version: '5.0.1' }, { integrity: 'sha512-c' }]) {
    checkout(WANTED, { 'node_modules/fastify': { ...fastify, ...other } });
    expect(packagesAreInstalled(root, DEV)).toBe(false);
  }
});

test('a deleted package triggers an install', () => {
  checkout(WANTED, { 'node_modules/fastify': fastify }, []);
  expect(packagesAreInstalled(root, DEV)).toBe(false);
});

test('a start needs no development dependencies, the tests do', () => {
  const vitest = { version: '5.0.0', integrity: 'sha512-c', dev: true };
  checkout({ ...WANTED, 'node_modules/vitest': vitest }, { 'node_modules/fastify': fastify });
  expect(packagesAreInstalled(root, { dev: false })).toBe(true);
  expect(packagesAreInstalled(root, { dev: true })).toBe(false);
});

test('a failed download of Node is repeated, although npm omits it as an optional package', () => {
  const node = { version: '26.10.0', integrity: 'sha512-d', optional: true };
  checkout({ ...WANTED, [`node_modules/${NODE_PACKAGE}`]: node }, { 'node_modules/fastify': fastify });
  expect(packagesAreInstalled(root, DEV)).toBe(false);
});

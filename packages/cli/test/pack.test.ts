import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

let folder: string;
let packed: { filename: string; files: { path: string }[] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-pack-'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  [packed] = JSON.parse(execFileSync('npm', args, { cwd: PACKAGE, encoding: 'utf8' }));
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder];
  execFileSync('npm', [...install, join(folder, packed.filename)], { stdio: 'ignore' });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program that is installed from its tarball, outside of the checkout. */
function runInstalled(args: readonly string[], nodeArgs: readonly string[] = []) {
  const program = join(folder, 'node_modules', '@tollgate', 'cli', 'bin', 'tollgate.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, program, ...args], {
    cwd: folder,
    env: {},
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('the package contains the program, and nothing else', () => {
  expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
    'README.md',
    'bin/tollgate.mjs',
    'dist/main.js',
    'package.json',
  ]);
});

it('the command line runs from its tarball without another package', () => {
  expect(runInstalled(['--help'])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Usage: tollgate <command>'),
  });
});

it.each(['doctor', 'migrate'])(
  'the command line runs %s from its tarball, with the driver of MongoDB',
  (command) => {
    const run = runInstalled([command, '--json']);
    expect(run.stderr).toBe('');
    expect(() => JSON.parse(run.stdout)).not.toThrow();
  },
);

it('the command line says on an older Node which one it needs', () => {
  const old = "data:text/javascript,import crypto from 'node:crypto'; delete crypto.hash;";
  expect(runInstalled(['--help'], ['--import', old])).toEqual({
    status: 2,
    stdout: '',
    stderr: `Node ${process.versions.node} is too old for tollgate. Use Node 22 or later, or 20.12 or later of Node 20.\n`,
  });
});

it('the command line imports no module that Node 20 lacks', () => {
  const program = readFileSync(new URL('../dist/main.js', import.meta.url), 'utf8');
  const imported = [...program.matchAll(/^import .* from "node:([^"]+)";$/gm)].map(([, name]) => name);
  expect(imported).toContain('crypto');
  expect(imported).not.toContain('sqlite');
});

it('the command line says where the commands for the embedded server run', () => {
  mkdirSync(join(folder, 'data', 'mongodb'), { recursive: true });
  writeFileSync(join(folder, 'data', 'mongodb', 'data.db'), '');
  const run = runInstalled(['backup', '--to', join(folder, 'backup'), '--data-dir', join(folder, 'data')]);
  expect(run.stderr).toContain('Run it in a checkout (npm run tollgate) or in the image.');
});

/** What came after Node 20, and that code for the platform's Node uses. */
const REMOVED = `
  for (const [owner, name] of [
    [URL, 'parse'], [Promise, 'withResolvers'], [Promise, 'try'], [Object, 'groupBy'], [Map, 'groupBy'],
    [Array, 'fromAsync'], [RegExp, 'escape'], [Error, 'isError'], [Map.prototype, 'getOrInsert'],
    [Map.prototype, 'getOrInsertComputed'], [Set.prototype, 'union'], [Set.prototype, 'difference'],
    [Set.prototype, 'intersection'], [Uint8Array, 'fromBase64'], [Uint8Array.prototype, 'toHex'],
  ]) delete owner[name];`;

it('the command line reads the addresses of servers on Node 20', async () => {
  const program = join(PACKAGE, 'dist', 'main.js');
  const without = `data:text/javascript,${encodeURIComponent(REMOVED)}`;
  const env = { NATS_URL: 'nats://gateway:secret@127.0.0.1:1' };
  const args = ['--import', without, program, 'doctor', '--role', 'gateway'];
  const report = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: { stdout: string }) => error,
  );
  expect(report.stdout).toContain('Check NATS_URL: host, port, user, and password.');
  expect(report.stdout).not.toContain('is not a function');
}, 30_000);

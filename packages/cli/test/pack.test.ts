import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
let packed: { filename: string; files: { path: string }[] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-pack-'));
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const args = ['pack', '--json', '--pack-destination', folder];
  const output = execFileSync('npm', args, { cwd, encoding: 'utf8' });
  [packed] = JSON.parse(output);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('the package contains the program, and nothing else', () => {
  expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
    'README.md',
    'bin/tollgate.mjs',
    'dist/main.js',
    'package.json',
  ]);
});

it('runs from its tarball without another package', async () => {
  const tarball = join(folder, packed.filename);
  const args = ['--yes', '--offline', '--package', tarball, 'tollgate', '--help'];
  const { stdout } = await promisify(execFile)('npx', args, { cwd: folder });
  expect(stdout).toContain('Usage: tollgate <command>');
});

it('imports no module that Node 20 lacks', () => {
  const program = readFileSync(new URL('../dist/main.js', import.meta.url), 'utf8');
  const imported = [...program.matchAll(/^import .* from "node:([^"]+)";$/gm)].map(([, name]) => name);
  expect(imported).toContain('crypto');
  expect(imported).not.toContain('sqlite');
});

it('says where the commands for the embedded server run', async () => {
  const backup = ['backup', '--to', join(folder, 'backup'), '--data-dir', join(folder, 'data')];
  mkdirSync(join(folder, 'data', 'mongodb'), { recursive: true });
  writeFileSync(join(folder, 'data', 'mongodb', 'data.db'), '');
  const args = ['--yes', '--offline', '--package', join(folder, packed.filename), 'tollgate', ...backup];
  const run = promisify(execFile)('npx', args, { cwd: folder });
  await expect(run).rejects.toThrow('Run it in a checkout (npm run tollgate) or in the image.');
});

/** What came after Node 20, and that code for the platform's Node uses. */
const REMOVED = `
  for (const [owner, name] of [
    [URL, 'parse'], [Promise, 'withResolvers'], [Promise, 'try'], [Object, 'groupBy'], [Map, 'groupBy'],
    [Array, 'fromAsync'], [RegExp, 'escape'], [Error, 'isError'], [Map.prototype, 'getOrInsert'],
    [Map.prototype, 'getOrInsertComputed'], [Set.prototype, 'union'], [Set.prototype, 'difference'],
    [Set.prototype, 'intersection'], [Uint8Array, 'fromBase64'], [Uint8Array.prototype, 'toHex'],
  ]) delete owner[name];`;

it('reads the addresses of servers on Node 20', async () => {
  const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const without = `data:text/javascript,${encodeURIComponent(REMOVED)}`;
  const env = { NATS_URL: 'nats://gateway:secret@127.0.0.1:1' };
  const args = ['--import', without, program, 'doctor', '--role', 'gateway'];
  const report = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: { stdout: string }) => error,
  );
  expect(report.stdout).toContain('Check NATS_URL: host, port, user, and password.');
  expect(report.stdout).not.toContain('is not a function');
}, 30_000);

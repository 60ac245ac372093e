import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
let packed: { filename: string; files: { path: string }[] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-pack-'));
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' });
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

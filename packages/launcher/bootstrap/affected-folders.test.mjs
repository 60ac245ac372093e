import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { affectedFolders } from './affected-folders.mjs';
import { SetupFailure } from './setup-failure.mjs';

const TURBO = fileURLToPath(new URL('../../../node_modules/.bin/turbo', import.meta.url));
const IDENTITY = ['-c', 'user.name=Developer', '-c', 'user.email=developer@example.com'];

let root;

/** A workspace with a package `library`, the package `application` that depends on it, and two others, on a branch of main. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-affected-'));
  writeJson('package.json', { name: 'root', packageManager: 'npm@11.19.1', workspaces: ['packages/*'] });
  writeJson('package-lock.json', { lockfileVersion: 3, packages: {} });
  writeJson('turbo.json', { tasks: {} });
  for (const name of ['library', 'edited', 'on-main']) writePackage(name, {});
  writePackage('application', { library: '*' });
  git('init', '--quiet', '--initial-branch', 'main');
  commitAll('Start');
  git('switch', '--quiet', '--create', 'change');
});
afterAll(() => rmSync(root, { recursive: true }));

function git(...args) {
  execFileSync('git', [...IDENTITY, ...args], { cwd: root, stdio: 'pipe' });
}

function commitAll(message) {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

function writeJson(path, content) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}

function writePackage(name, dependencies) {
  writeJson(`packages/${name}/package.json`, { name, version: '1.0.0', dependencies });
}

const affected = async () => {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
  return (await affectedFolders(TURBO, root, env)).toSorted();
};

test('the packages that differ from the merge base with main and their dependents are affected, and no others', async () => {
  expect(await affected()).toEqual([]);

  writeJson('packages/library/value.json', 1);
  commitAll('Change the library');
  git('switch', '--quiet', 'main');
  writeJson('packages/on-main/value.json', 1);
  commitAll('Change another package after the branch has left main');
  git('switch', '--quiet', 'change');
  writeJson('packages/edited/value.json', 1);

  expect(await affected()).toEqual(['packages/application/', 'packages/edited/', 'packages/library/']);
});

test('a clone without the branch main is rejected with the command that fetches it', async () => {
  git('branch', '--move', 'main', 'elsewhere');
  const rejection = affected();
  await expect(rejection).rejects.toThrow(SetupFailure);
  await expect(rejection).rejects.toThrow('git fetch origin main:main');
});

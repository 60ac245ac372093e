import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findNode, NODE_PACKAGE } from './node-runtime.mjs';

const running = process.execPath;
let root;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tollgate-node-'));
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
});
afterEach(() => {
  process.execPath = running;
});

/** Creates an executable from this shell script. */
function fakeNode(path, script) {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
const pinnedPath = () => join(root, 'node_modules/.bin/node');
const runOn = (version) => {
  process.execPath = fakeNode(join(root, 'running-node'), `echo v${version}`);
};

test('the pinned Node is used, whichever Node runs the bootstrap', async () => {
  runOn('20.11.0');
  const pinned = fakeNode(pinnedPath(), 'echo v26.10.0');
  expect(await findNode(root)).toBe(pinned);
});

test('the current Node is used if the pinned one does not run and the current one is new enough', async () => {
  runOn('27.0.0');
  fakeNode(pinnedPath(), 'echo "no such interpreter: ld-linux" >&2; exit 127');
  expect(await findNode(root)).toBe(process.execPath);
});

test('a missing executable is an error that names the package that contains it', async () => {
  runOn('20.11.0');
  await expect(findNode(root)).rejects.toThrow(`npm did not install ${NODE_PACKAGE}`);
});

test('an executable that does not run here is an error with its output', async () => {
  runOn('20.11.0');
  fakeNode(pinnedPath(), 'echo "Error relocating node: no such symbol" >&2; exit 127');
  await expect(findNode(root)).rejects.toThrow(
    /does not run on this system \(Error relocating node: no such symbol\)/,
  );
});

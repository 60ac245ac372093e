#!/usr/bin/env node
/**
 * In a checkout, on a Node that runs TypeScript, this runs the sources, which are always current. Elsewhere it runs the
 * output of `npm run build`. Plain JavaScript without dependencies, so that it can report what is missing.
 */
import crypto from 'node:crypto';
import { existsSync } from 'node:fs';

const sources = new URL('../src/main.ts', import.meta.url);
const built = new URL('../dist/main.js', import.meta.url);
const USAGE_ERROR = 2;

// Node 20.12 and 21.7 introduced it.
if (crypto.hash === undefined) {
  process.stderr.write(
    `Node ${process.versions.node} is too old for tollgate. Use Node 22 or later, or 20.12 or later of Node 20.\n`,
  );
  process.exitCode = USAGE_ERROR;
} else if (process.features.typescript && existsSync(sources)) await import(sources.href);
else if (existsSync(built)) await import(built.href);
else {
  process.stderr.write(
    `Node ${process.versions.node} cannot run TypeScript, and tollgate is not built.\n` +
      'In the root folder of a checkout, run `npm ci`, then `npm run tollgate`, which uses the Node that npm ci installs.\n',
  );
  process.exitCode = USAGE_ERROR;
}

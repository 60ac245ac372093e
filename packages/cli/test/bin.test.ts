import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleExport } from './sample-export.ts';

const SAMPLE = sampleExport();

describe.each([
  ['from its sources', '../bin/tollgate.mjs'],
  ['as it is built', '../dist/main.js'],
])('the command %s', (_, script) => {
  it.each([
    ['0 for an export as it was made', SAMPLE.text, 0],
    ['1 for one that was tampered with', SAMPLE.text.replace('billing', 'killing'), 1],
  ])('exits with %s', (_, input, status) => {
    const args = [fileURLToPath(new URL(script, import.meta.url)), 'verify-audit', '-', '--public-key'];
    const run = spawnSync(process.execPath, [...args, SAMPLE.key.public_key], { input, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(status);
  });
});

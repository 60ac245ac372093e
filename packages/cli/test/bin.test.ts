import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { newSecret } from '@tollgate/processor-adapter/contract/signature';
import { expect, it, onTestFinished } from 'vitest';
import type { Defect } from './defects.ts';
import { startNodeAdapter } from './node-adapter.ts';
import { sampleExport } from './sample-export.ts';

const SAMPLE = sampleExport();

/** Runs the command from its sources, or as it is built. */
function scriptOf(script: 'bin/tollgate.mjs' | 'dist/main.js'): string {
  return fileURLToPath(new URL(`../${script}`, import.meta.url));
}

it.each([
  ['0 for an intact export', 'dist/main.js', SAMPLE.text, 0],
  ['1 for one that was tampered with', 'dist/main.js', SAMPLE.text.replace('billing', 'killing'), 1],
  ['1 for one that was tampered with', 'bin/tollgate.mjs', SAMPLE.text.replace('billing', 'killing'), 1],
] as const)('the command exits with %s (%s)', (_, script, input, status) => {
  const args = [scriptOf(script), 'verify-audit', '-', '--public-key', SAMPLE.key.public_key];
  const run = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(status);
});

it.each(['bin/tollgate.mjs', 'dist/main.js'] as const)(
  'the command loads the checks of a deployment (%s)',
  (script) => {
    const args = [scriptOf(script), 'doctor', '--role', 'dashboard', '--json'];
    const run = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} });
    expect(run).toMatchObject({ status: 1, stderr: '' });
    expect(run.stdout).toContain('SESSION_COOKIE_KEYS is missing.');
  },
);

it.each<[string, Defect | undefined, number]>([
  ['0 for an adapter that conforms', undefined, 0],
  ['1 for an adapter that does not', 'health fails', 1],
])('the command exits with %s', async (_title, defect, status) => {
  const secret = newSecret();
  const adapter = await startNodeAdapter(secret, defect);
  onTestFinished(adapter.stop);
  const args = [scriptOf('dist/main.js'), 'processor', 'test', adapter.url, '--json'];
  const env = { ...process.env, TOLLGATE_SECRETS: secret };
  const run = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
  expect(run).toMatchObject({ code: status, stderr: expect.stringContaining('/v1/processor-events/') });
  expect(JSON.parse(run.stdout)).toMatchObject({ conforms: status === 0 });
  expect(run.stdout + run.stderr).not.toContain(secret.slice('whsec_'.length, -1));
});

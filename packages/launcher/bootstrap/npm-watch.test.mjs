import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = `
import { watchNpm } from ${JSON.stringify(fileURLToPath(new URL('npm-watch.mjs', import.meta.url)))};
watchNpm(() => { console.log('npm is gone'); process.exit(); });
console.log('started');
setTimeout(() => { console.log('not told'); process.exit(); }, 3_000);
`;

/** Runs a script like npm, in a shell that is then killed. Returns what the script prints afterwards. */
async function killShellOf(env) {
  const command = `"${process.execPath}" --input-type=module -e "$PROGRAM" & wait`;
  const shell = spawn('sh', ['-c', command], {
    env: { ...process.env, ...env, PROGRAM: program },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: shell.stdout });
  await once(lines, 'line');
  shell.kill('SIGKILL');
  const [said] = await once(lines, 'line');
  return said;
}

test('a script detects that npm has ended, although no signal reaches it', async () => {
  expect(await killShellOf({ npm_lifecycle_event: 'start' })).toBe('npm is gone');
});

test('a script without npm outlives its shell', async () => {
  expect(await killShellOf({ npm_lifecycle_event: undefined })).toBe('not told');
});

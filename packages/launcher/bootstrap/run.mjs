/**
 * Entry point of `npm start`, `npm test`, and `npm run test:system`, on a machine that may only have git, npm, and Node 20 or later. Plain
 * JavaScript without dependencies, because it runs before the install.
 */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const COMMANDS = ['start', 'test', 'test:system'];

const [command = '', ...args] = process.argv.slice(2);

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `Tollgate requires Node ${OLDEST_NODE} or newer to start. This is Node ${process.versions.node}.\n` +
      'Install a newer version from https://nodejs.org, then run the command again.\n',
  );
  process.exitCode = 1;
} else if (!COMMANDS.includes(command)) {
  process.stderr.write(
    'Usage: npm start, npm test [-- --affected | <path>…], or npm run test:system [-- <path>…]\n',
  );
  process.exitCode = 64;
} else {
  process.exitCode = await run();
}

/** @returns {Promise<number>} exit code */
async function run() {
  // Imported late: their syntax may be too new for a Node that is rejected above.
  const { installPackages } = await import('./install-packages.mjs');
  const { findNode } = await import('./node-runtime.mjs');
  const { SetupFailure } = await import('./setup-failure.mjs');
  try {
    await installPackages(ROOT, { dev: command !== 'start' });
    const node = await findNode(ROOT);
    if (command === 'start') {
      const { startPlatform } = await import('./start-platform.mjs');
      return await startPlatform(ROOT, node, args);
    }
    const { runTests } = await import('./run-tests.mjs');
    return await runTests(ROOT, node, command, args);
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    return 1;
  }
}

/**
 * Changes a ring of keys in an env file: reads the file from the standard input, and prints it after one step of a rotation.
 * docs/operating/rotate-keys.md has the steps of each ring.
 *
 * node packages/launcher/src/containers/rotate-keys.ts add|promote|remove <variable> < tollgate.env > next.env
 */
import { text } from 'node:stream/consumers';
import { ROTATION_STEPS, readersOf, rotateRing } from '../key-rings/rotate-ring.ts';
import { LauncherFailure } from '../launcher-failure.ts';

const USAGE = `Usage: rotate-keys.ts ${ROTATION_STEPS.join('|')} <variable> < tollgate.env > next.env`;

async function main([stepName, variable]: string[]): Promise<void> {
  const step = ROTATION_STEPS.find((known) => known === stepName);
  if (step === undefined || variable === undefined) throw new LauncherFailure(USAGE);
  process.stdout.write(rotateRing(await text(process.stdin), variable, step));
  process.stderr.write(`Restart, one instance at a time: ${readersOf(variable, step).join(', ')}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof LauncherFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findFreePorts } from './free-ports.ts';

const MODULE = fileURLToPath(new URL('./free-ports.ts', import.meta.url));
/** Without a reservation, two processes would find about 20 of the same ports. */
const PORTS = 500;
const SEARCH = `
  const { findFreePorts } = await import(${JSON.stringify(MODULE)});
  process.stdout.write(JSON.stringify(await findFreePorts(${PORTS})));
`;

it('no port is found by two processes', async () => {
  const own = await findFreePorts(PORTS);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SEARCH]);
  const all = [...own, ...(JSON.parse(stdout) as number[])];
  expect(new Set(all).size).toBe(2 * PORTS);
});

/**
 * Prints new secrets as the env file for docker-compose.yml. Run it once per installation and keep the file.
 *
 * `--data-dir <folder>` prints those of an installation of `npm start` instead, to move it to containers.
 */
import { access } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { dataPaths } from '../data-dir.ts';
import { generateSecrets, loadSecrets, type Secrets } from '../secrets.ts';
import { containerVariables } from './container-variables.ts';

async function secretsOf(dataDir: string): Promise<Secrets> {
  const paths = dataPaths(dataDir);
  // Without the file, `loadSecrets` would create it.
  await access(paths.secrets);
  return loadSecrets(paths);
}

const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
const dataDir = values['data-dir'];
try {
  const secrets = dataDir === undefined ? generateSecrets() : await secretsOf(dataDir);
  for (const [name, value] of Object.entries(containerVariables(secrets)))
    process.stdout.write(`${name}=${value}\n`);
} catch (error) {
  process.stderr.write(`The secrets cannot be read: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

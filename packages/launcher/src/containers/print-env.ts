/** Prints new secrets as the env file for docker-compose.yml. Run it once per installation and keep the file. */
import { generateSecrets } from '../secrets.ts';
import { containerVariables } from './container-variables.ts';

for (const [name, value] of Object.entries(containerVariables(generateSecrets())))
  process.stdout.write(`${name}=${value}\n`);

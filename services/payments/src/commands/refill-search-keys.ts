/**
 * Writes the search keys of this release into payments that an earlier release created, so that the search finds them by everything that
 * it compares. Exits with 0 when all payments have them, and with 2 when it failed.
 *
 * MONGODB_URL=… node services/payments/src/commands/refill-search-keys.ts
 */
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { mongodbUrl, readConfig } from '@tollgate/runtime/config';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { refillSearchKeys } from '../history/refill-search-keys.ts';

const NAME = 'refill-search-keys';
const FAILED = 2;

async function main(): Promise<void> {
  const config = readConfig(process.env, { mongodbUrl });
  const connection = await connectMongoDB({
    url: config.mongodbUrl,
    database: DATABASES.payments,
    appName: NAME,
    logger: createLogger({ service: NAME, level: 'error' }),
  });
  try {
    const { payments, refilled } = await refillSearchKeys(connection);
    process.stdout.write(`Read ${payments} payments and refilled the search keys of ${refilled}.\n`);
  } finally {
    await connection.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`Failed to refill the search keys: ${(error as Error).message}\n`);
  process.exitCode = FAILED;
}

/**
 * Moves the seals of all histories to the current key. Run it before an earlier key is removed. Exits with 0 when every payment is
 * sealed, with 1 when some fail verification, and with 2 when it failed.
 *
 * MONGODB_URL=… SIGNING_KEYS=… node services/payments/src/commands/reseal-histories.ts
 */
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { mongodbUrl, readConfig } from '@tollgate/runtime/config';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { historyKeys } from '../seals/history-keys.ts';
import { createHistorySeals } from '../seals/history-seal.ts';
import { resealHistories } from '../seals/reseal-histories.ts';

const NAME = 'reseal-histories';
const FAILED = 2;

async function main(): Promise<number> {
  const config = readConfig(process.env, { mongodbUrl, historyKeys });
  const connection = await connectMongoDB({
    url: config.mongodbUrl,
    database: DATABASES.payments,
    appName: NAME,
    logger: createLogger({ service: NAME, level: 'error' }),
  });
  try {
    const seals = createHistorySeals(config.historyKeys);
    const { payments, sealed, rejected } = await resealHistories(connection, seals);
    process.stdout.write(
      `Read ${payments} payments and sealed ${sealed}. ${rejected.length} fail verification.\n`,
    );
    for (const { paymentId, reason } of rejected) process.stdout.write(`${paymentId}: ${reason}\n`);
    return rejected.length === 0 ? 0 : 1;
  } finally {
    await connection.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`Failed to seal the histories: ${(error as Error).message}\n`);
  process.exitCode = FAILED;
}

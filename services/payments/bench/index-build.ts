/*
 * Measures how long `tollgate migrate` takes to create an index of each kind on a collection of existing payments.
 * Usage: TEST_INFRA=embedded node bench/index-build.ts [payments]
 */
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { createIndexes } from '@tollgate/store/schema/create-indexes';
import { indexName } from '@tollgate/store/schema/database-schema';
import { startInfra } from '@tollgate/test-kit/infra';
import { PAYMENT_INDEXES } from '../src/store/payment-indexes.ts';
import { aLongHistory, insertHistory } from '../test/a-long-history.ts';

const DEFAULT_SIZE = 200_000;
const MS_BETWEEN = 2_500;

const size = Number(process.argv[2] ?? DEFAULT_SIZE);
const say = (line: string) => process.stdout.write(`${line}\n`);
const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1_000).toFixed(1);

const infra = await startInfra({ mongodb: true });
const connection = await connectMongoDB({
  url: infra.mongodbUrl,
  database: 'index_build',
  appName: 'bench',
  isPatient: true,
  logger: createLogger({ service: 'bench', level: 'silent' }),
});
const insertedAt = performance.now();
await insertHistory(connection, aLongHistory({ size, newest: new Date(), msBetween: MS_BETWEEN }));
say(`${size} payments inserted in ${secondsSince(insertedAt)} s`);
const buildingAt = performance.now();
for (const index of PAYMENT_INDEXES) {
  const startedAt = performance.now();
  await createIndexes(connection, 'payments', [index]);
  say(`${secondsSince(startedAt).padStart(6)} s  ${indexName(index)}`);
}
say(`${secondsSince(buildingAt).padStart(6)} s  all`);
await connection.close();
await infra.stop();

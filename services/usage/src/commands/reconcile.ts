/**
 * Compares usage with payments by day, application, environment, and operation, and names each difference. Exits with 0
 * when all differences are explained, with 1 when some are not, and with 2 when the comparison failed.
 *
 * MONGODB_URL=… NATS_URL=… SIGNER_PUBLIC_KEYS=… node services/usage/src/commands/reconcile.ts --from 2026-11-01 --to 2026-11-20
 */
import { parseArgs } from 'node:util';
import { connectBus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { eventsSince, lastSandboxResets } from '@tollgate/contracts/payments/rpc';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { commonVariables, mongodbUrl, readConfig } from '@tollgate/runtime/config';
import { createLogger } from '@tollgate/runtime/logger';
import { verifierVariables } from '@tollgate/security/key-variables';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import { verifiedEvents } from '@tollgate/service/verified-events';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { Registry } from 'prom-client';
import { dayOf } from '../reconciliation/day-counts.ts';
import { formatReport } from '../reconciliation/format-report.ts';
import { createQuestionStore } from '../reconciliation/question-store.ts';
import { reconcileUsage } from '../reconciliation/reconcile-usage.ts';
import { createLevels } from '../roll-up/level-store.ts';
import { rollUp } from '../roll-up/roll-up.ts';
import { createUsageMetrics } from '../usage-metrics.ts';
import { createWindowStore } from '../windows/window-store.ts';

const NAME = 'usage-reconcile';
const COULD_NOT_COMPARE = 2;

function readDay(name: string, text = ''): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(text) === text) return text;
  throw new Error(
    `--${name} must be a date such as 2026-11-20. Days start at midnight UTC, and both days are included.`,
  );
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });
  const period = { firstDay: readDay('from', values.from), lastDay: readDay('to', values.to) };
  if (period.lastDay < period.firstDay) throw new Error('--to must not be before --from.');
  const config = readConfig(process.env, {
    mongodbUrl,
    natsUrl: commonVariables.natsUrl,
    ...verifierVariables,
  });
  const logger = createLogger({ service: NAME, level: 'error' });
  const verifyEvent = createMessageVerifier('payment_event', {
    findPublicKey: config.signerPublicKeys,
    countUnverified: () => undefined,
  });
  const bus = await connectBus({ url: config.natsUrl, name: NAME, logger });
  const connection = await connectMongoDB({
    url: config.mongodbUrl,
    database: DATABASES.usage,
    appName: NAME,
    logger,
  });
  try {
    const windows = createWindowStore(connection);
    const levels = createLevels(connection);
    // Compares the current windows, not the state of the last roll-up.
    await rollUp({ windows, levels, metrics: createUsageMetrics(new Registry(), async () => 0), logger });
    const found = await reconcileUsage(
      {
        questions: createQuestionStore(connection),
        days: levels.day,
        async eventsSince(request) {
          const { events, next_cursor } = await callRpc(bus, eventsSince, request);
          return { events: verifiedEvents(events, { verifyEvent, logger }), next_cursor };
        },
        lastResets: async (team_ids) => (await callRpc(bus, lastSandboxResets, { team_ids })).data,
      },
      period,
    );
    process.stdout.write(`${formatReport(found.days, found.resolved, found.leftOut)}\n`);
    return found.days.every(({ difference }) => difference === 0) ? 0 : 1;
  } finally {
    await bus.close();
    await connection.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`Failed to compare usage with payments: ${(error as Error).message}\n`);
  process.exitCode = COULD_NOT_COMPARE;
}

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { onStop, waitForBalancers } from '@tollgate/runtime/graceful-stop';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { startOpsServer } from '@tollgate/runtime/ops-server';
import { startOrExit } from '@tollgate/runtime/start-or-exit';
import { readDashboardConfig } from './config.ts';
import { ADAPTER_HEADERS, createDashboardServer, type Handler, MAX_BODY } from './dashboard-server.ts';
import { createDashboardMetrics } from './metrics.ts';

const NAME = 'dashboard';
/** Longer than the timeout of one admin API call. */
const STOP_TIMEOUT_MS = 15_000;

await startOrExit(NAME, async () => {
  const config = readDashboardConfig(process.env);
  const logger = createLogger({ service: NAME, level: config.logLevel, isSynchronous: true });
  const registry = createMetrics(NAME);

  let reasonsNotReady = ['starting'];
  const ops = await startOpsServer({
    host: config.opsHost,
    port: config.opsPort,
    reasonsNotReady: () => reasonsNotReady,
    registry,
    logger,
  });
  const { server, stop } = createDashboardServer({
    config,
    handler: await loadHandler(),
    logger,
    metrics: createDashboardMetrics(registry),
  });
  onStop({
    logger,
    timeoutMs: STOP_TIMEOUT_MS,
    drainDelayMs: config.drainDelayMs,
    steps: [
      {
        name: 'report not ready',
        run() {
          reasonsNotReady = ['stopping'];
        },
      },
      waitForBalancers(config.drainDelayMs),
      { name: 'stop serving', run: stop },
      { name: 'close the ops server', run: ops.stop },
    ],
  });

  server.listen(config.port, config.host);
  await once(server, 'listening');
  reasonsNotReady = [];
  const { port } = server.address() as AddressInfo;
  logger.info({ url: config.url, address: `${config.host}:${port}` }, 'the dashboard is listening');
});

/** Loads the built dashboard. The adapter reads its settings on import, so they must be set first. */
async function loadHandler(): Promise<Handler> {
  const built = new URL('../../dist/handler.js', import.meta.url);
  if (!existsSync(built)) {
    throw new Error('The dashboard is not built. Run: npm run build --workspace dashboard');
  }
  process.env['ADAPTER_PROTOCOL_HEADER'] = ADAPTER_HEADERS.protocol;
  process.env['ADAPTER_ADDRESS_HEADER'] = ADAPTER_HEADERS.address;
  process.env['ADAPTER_BODY_SIZE_LIMIT'] = MAX_BODY;
  const { handler } = (await import(built.href)) as { handler: Handler };
  return handler;
}

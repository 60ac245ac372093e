import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import closeWithGrace from 'close-with-grace';
import { readDashboardConfig } from './config.ts';
import { ADAPTER_HEADERS, createDashboardServer, type Handler, MAX_BODY } from './dashboard-server.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { listen, startOpsServer } from './ops-server.ts';

/** Longer than the admin API may take for one call. */
const STOP_TIMEOUT_MS = 15_000;

const config = readDashboardConfig(process.env);
const logger = createLogger(config.logLevel);
const metrics = createMetrics();

const { server, stop } = createDashboardServer({
  config,
  handler: await loadHandler(),
  logger,
  metrics,
});
let isReady = false;
const ops = await startOpsServer({
  host: config.opsHost,
  port: config.opsPort,
  isReady: () => isReady,
  registry: metrics.registry,
});
closeWithGrace({ delay: STOP_TIMEOUT_MS, logger: false }, async ({ signal, err }) => {
  if (err) logger.fatal({ err }, 'stopping after a fatal error');
  else logger.info({ signal }, 'stopping');
  isReady = false;
  await stop();
  await ops.stop();
  logger.info('stopped');
});

await listen(server, config.port, config.host);
isReady = true;
logger.info(
  { url: config.url, address: `${config.host}:${(server.address() as AddressInfo).port}` },
  'dashboard is listening',
);

/** The built dashboard. The adapter reads its settings when it is imported, hence not before they are set here. */
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

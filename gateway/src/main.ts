import { systemClock } from '@tollgate/runtime/clock';
import { onStop } from '@tollgate/runtime/graceful-stop';
import { createLogger } from '@tollgate/runtime/logger';
import { startOrExit } from '@tollgate/runtime/start-or-exit';
import { readGatewayConfig } from './config.ts';
import { createBufferedLogDestination } from './log-destination.ts';
import { startGateway } from './start-gateway.ts';

await startOrExit('gateway', async () => {
  const config = readGatewayConfig(process.env);
  const logger = createLogger({
    service: 'gateway',
    level: config.logLevel,
    destination: createBufferedLogDestination(),
  });
  const gateway = await startGateway(config, { logger, clock: systemClock });
  onStop({ logger, steps: gateway.stopSteps, drainDelayMs: config.drainDelayMs });
  logger.info({ url: gateway.liveUrl, environment: 'live' }, 'listening');
  logger.info({ url: gateway.sandboxUrl, environment: 'sandbox' }, 'listening');
  logger.info({ url: gateway.adminUrl }, 'admin API is listening');
  logger.info({ url: gateway.opsUrl }, 'ops server is listening');
  // A rejection stops the process, as every error after onStop.
  void gateway.connected;
});

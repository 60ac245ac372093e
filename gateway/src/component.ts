import { systemClock } from '@tollgate/runtime/clock';
import type { Component, RunningComponent } from '@tollgate/runtime/component';
import type { Environment } from '@tollgate/runtime/config';
import { warnOfUnknownVariables } from '@tollgate/runtime/unknown-variables';
import { type GatewayConfig, gatewayVariables, readGatewayConfig } from './config.ts';
import { createGatewayLogger } from './gateway-logger.ts';
import { startGateway } from './start-gateway.ts';

export const component: Component = {
  name: 'gateway',
  configure(env) {
    const config = readGatewayConfig(env);
    return { drainDelayMs: config.drainDelayMs, start: () => start(config, env) };
  },
};

async function start(config: GatewayConfig, env: Environment): Promise<RunningComponent> {
  const logger = createGatewayLogger(config.logLevel);
  warnOfUnknownVariables(env, gatewayVariables, logger);
  const gateway = await startGateway(config, { logger, clock: systemClock });
  logger.info({ url: gateway.liveUrl, environment: 'live' }, 'listening');
  logger.info({ url: gateway.sandboxUrl, environment: 'sandbox' }, 'listening');
  logger.info({ url: gateway.adminUrl }, 'admin API is listening');
  logger.info({ url: gateway.opsUrl }, 'ops server is listening');
  // A rejection stops the process, like every error that nothing handles.
  void gateway.connected;
  return gateway;
}

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Component, RunningComponent } from '@tollgate/runtime/component';
import type { Environment } from '@tollgate/runtime/config';
import { runStopSteps } from '@tollgate/runtime/graceful-stop';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { startOpsServer } from '@tollgate/runtime/ops-server';
import { warnOfUnknownVariables } from '@tollgate/runtime/unknown-variables';
import { type DashboardConfig, dashboardVariables, readDashboardConfig } from './config.ts';
import { ADAPTER_HEADERS, createDashboardServer, type Handler, MAX_BODY } from './dashboard-server.ts';
import { createDashboardMetrics } from './metrics.ts';

const NAME = 'dashboard';

export const component: Component = {
  name: NAME,
  configure(env) {
    const config = readDashboardConfig(env);
    return { drainDelayMs: config.drainDelayMs, start: () => start(config, env) };
  },
};

async function start(config: DashboardConfig, env: Environment): Promise<RunningComponent> {
  const logger = createLogger({ service: NAME, level: config.logLevel, isSynchronous: true });
  warnOfUnknownVariables(env, dashboardVariables, logger);
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
    handler: await loadHandler(env),
    logger,
    metrics: createDashboardMetrics(registry),
  });
  const stopSteps = [
    { name: 'stop serving', run: stop },
    { name: 'close the ops server', run: ops.stop },
  ];

  server.listen(config.port, config.host);
  await once(server, 'listening');
  reasonsNotReady = [];
  const { port } = server.address() as AddressInfo;
  logger.info({ url: config.url, address: `${config.host}:${port}` }, 'the dashboard is listening');

  function becomeUnready(): void {
    reasonsNotReady = ['stopping'];
  }
  return {
    becomeUnready,
    stop() {
      becomeUnready();
      return runStopSteps(stopSteps, logger);
    },
  };
}

/** Loads the built dashboard, which reads the environment of the process on import. */
async function loadHandler(env: Environment): Promise<Handler> {
  const built = new URL('../../dist/handler.js', import.meta.url);
  if (!existsSync(built)) {
    throw new Error('The dashboard is not built. Run: npm run build --workspace dashboard');
  }
  Object.assign(process.env, env, {
    ADAPTER_PROTOCOL_HEADER: ADAPTER_HEADERS.protocol,
    ADAPTER_ADDRESS_HEADER: ADAPTER_HEADERS.address,
    ADAPTER_BODY_SIZE_LIMIT: MAX_BODY,
  });
  const { handler } = (await import(built.href)) as { handler: Handler };
  return handler;
}

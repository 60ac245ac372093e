import { existsSync } from 'node:fs';
import { systemClock } from '@tollgate/runtime/clock';
import type { Environment, RunningComponent } from '@tollgate/runtime/component';
import { ConfigError, port, processVariables, readConfig, text, url } from '@tollgate/runtime/config';
import { runStopSteps } from '@tollgate/runtime/graceful-stop';
import { createLogger } from '@tollgate/runtime/logger';
import { runComponent } from '@tollgate/runtime/run-component';
import type { Adapter } from './adapter.ts';
import { createAdapterServer } from './adapter-server.ts';
import { parseSecrets, type SigningSecrets } from './contract/signature.ts';
import { openPaymentStore } from './store/payment-store.ts';

const variables = {
  host: text('HOST', { default: '127.0.0.1' }),
  port: port('PORT', { default: 8100 }),
  webhookPort: port('WEBHOOK_PORT', { default: 8101 }),
  secrets: { name: 'TOLLGATE_SECRETS', parse: parseSecrets },
  callbackUrl: url('TOLLGATE_CALLBACK_URL', { protocols: ['http', 'https'] }),
  dataFile: text('DATA_FILE'),
  logLevel: processVariables.logLevel,
};

interface AdapterConfig {
  host: string;
  port: number;
  webhookPort: number;
  secrets: SigningSecrets;
  callbackUrl: string;
  dataFile: string;
  logLevel: string;
}

/**
 * Runs the adapter as this process, until a signal or a fatal error stops it. `create` reads the adapter's own variables with
 * `readConfig`, so that an operator sees every missing variable at once.
 */
export async function runAdapter(create: (env: NodeJS.ProcessEnv) => Adapter): Promise<void> {
  await runComponent({ name: 'adapter', start: (env) => startAdapter(env, create) });
}

async function startAdapter(
  env: Environment,
  create: (env: NodeJS.ProcessEnv) => Adapter,
): Promise<RunningComponent> {
  const { config, adapter } = readAll(env, create);
  const logger = createLogger({ service: `adapter-${adapter.name}`, level: config.logLevel });
  // The data file holds payers' data.
  process.umask(0o077);
  if (!existsSync(config.dataFile)) {
    logger.warn('created a new data file; if payments were started before, restore the file that has them');
  }
  const store = openPaymentStore(config.dataFile);
  const server = createAdapterServer({ ...config, adapter, store, clock: systemClock, logger });
  const { callsUrl, webhooksUrl } = await server.listen(config);
  logger.info({ url: callsUrl }, 'serving calls of Tollgate');
  logger.info({ url: webhooksUrl }, 'serving webhooks of the processor');
  const steps = [
    { name: 'stop the adapter', run: server.stop },
    { name: 'close the data file', run: store.close },
  ];
  return { logger, stop: () => runStopSteps(steps, logger) };
}

/** @throws ConfigError that lists the problems of both */
function readAll(
  env: Environment,
  create: (env: NodeJS.ProcessEnv) => Adapter,
): { config: AdapterConfig; adapter: Adapter } {
  const problems: string[] = [];
  function collect<Value>(read: () => Value): Value | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return null;
    }
  }
  const config = collect(() => readConfig<AdapterConfig>(env, variables));
  const adapter = collect(() => create(env));
  if (config === null || adapter === null) throw new ConfigError(problems);
  return { config, adapter };
}

import { existsSync } from 'node:fs';
import { systemClock } from '@tollgate/runtime/clock';
import type { RunningComponent } from '@tollgate/runtime/component';
import {
  ConfigError,
  type Environment,
  port,
  processVariables,
  readConfig,
  text,
  tracingVariables,
  url,
  type VariableTable,
} from '@tollgate/runtime/config';
import { runStopSteps } from '@tollgate/runtime/graceful-stop';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { runComponent } from '@tollgate/runtime/run-process';
import { warnOfUnknownVariables } from '@tollgate/runtime/unknown-variables';
import type { Adapter } from './adapter.ts';
import { adapterName } from './adapter-name.ts';
import { createAdapterServer } from './adapter-server.ts';
import { parseSecrets, type SigningSecrets } from './contract/signature.ts';
import { openPaymentStore } from './store/payment-store.ts';

/** The variables of every adapter. Each has its own besides. */
export const adapterVariables = {
  host: text('HOST', { default: '127.0.0.1', description: 'Address of both listeners.' }),
  port: port('PORT', {
    default: 8100,
    description:
      'Port for Tollgate: signed calls, and `GET /healthz` without a signature. Never expose it to the internet.',
  }),
  webhookPort: port('WEBHOOK_PORT', {
    default: 8101,
    description: 'Port for the processor: `POST /webhooks`. The only port that the internet may reach.',
  }),
  secrets: {
    name: 'TOLLGATE_SECRETS',
    description:
      'One or two secrets, separated by a comma: the same as in `PROCESSORS_FILE`. Each signs, and each verifies.',
    type: '`whsec_<base64>`',
    isSecret: true,
    parse: parseSecrets,
  },
  callbackUrl: url('TOLLGATE_CALLBACK_URL', {
    protocols: ['http', 'https'],
    description: '`http://<payments>:<CALLBACK_PORT>/v1/processor-events/<name in PROCESSORS_FILE>`.',
  }),
  dataFile: text('DATA_FILE', {
    type: 'path of a SQLite file',
    description:
      'Payments that the adapter started. Created if it does not exist. One process per file. Keep it on a disk that outlives the process.',
  }),
  logLevel: processVariables.logLevel,
  ...tracingVariables,
};

interface AdapterConfig {
  host: string;
  port: number;
  webhookPort: number;
  secrets: SigningSecrets;
  callbackUrl: string;
  dataFile: string;
  logLevel: string;
  otlpEndpoint: string;
  sampledShare: number;
}

/**
 * Runs the adapter as this process, until a signal or a fatal error stops it. `create` reads the adapter's own variables with
 * `readConfig`, so that an operator sees every missing variable at once.
 * @param ownVariables the table of these variables, for a warning about one that is misspelt
 */
export async function runAdapter(
  create: (env: NodeJS.ProcessEnv) => Adapter,
  ownVariables: VariableTable = {},
): Promise<void> {
  await runComponent({
    name: 'adapter',
    configure(env) {
      const { config, adapter } = readAll(env, create);
      return {
        drainDelayMs: 0,
        start() {
          const logger = createLogger({ service: adapterName(adapter.name), level: config.logLevel });
          warnOfUnknownVariables(env, { ...adapterVariables, ...ownVariables }, logger);
          return startAdapter(config, adapter, logger);
        },
      };
    },
  });
}

async function startAdapter(
  config: AdapterConfig,
  adapter: Adapter,
  logger: Logger,
): Promise<RunningComponent> {
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
  // It has no readiness.
  return { becomeUnready: () => undefined, stop: () => runStopSteps(steps, logger) };
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
  const config = collect(() => readConfig<AdapterConfig>(env, adapterVariables));
  const adapter = collect(() => create(env));
  if (config === null || adapter === null) throw new ConfigError(problems);
  return { config, adapter };
}

import { resolve } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { choice, port, readConfig, text, url } from '@tollgate/service-kit/config';

export type Settings = ReturnType<typeof readSettings>;

/** What a person may set for `npm start`; README.md says what each is for. Throws one ConfigError that names every wrong variable. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const config = readConfig(env, {
    dataDir: text('TOLLGATE_DATA_DIR', { default: '.tollgate' }),
    livePort: port('LIVE_PORT', { default: 8080 }),
    sandboxPort: port('SANDBOX_PORT', { default: 8081 }),
    /** Empty: the launcher starts its own. */
    mongodbUrl: url('MONGODB_URL', { protocols: ['mongodb', 'mongodb+srv'], default: '' }),
    natsUrl: url('NATS_URL', { protocols: ['nats', 'tls'], default: '' }),
    logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug', 'trace'], { default: 'info' }),
  });
  return { ...config, dataDir: resolve(CHECKOUT_DIR, config.dataDir) };
}

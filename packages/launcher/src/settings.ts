import { resolve } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { choice, commonVariables, mongodbUrl, port, readConfig, text } from '@tollgate/runtime/config';

export type Settings = ReturnType<typeof readSettings>;

/** What a person may set for `npm start`; README.md says what each is for. Throws one ConfigError that names every wrong variable. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const config = readConfig(env, {
    dataDir: text('TOLLGATE_DATA_DIR', { default: '.tollgate' }),
    livePort: port('LIVE_PORT', { default: 8080 }),
    sandboxPort: port('SANDBOX_PORT', { default: 8081 }),
    adminPort: port('ADMIN_PORT', { default: 8082 }),
    dashboardPort: port('DASHBOARD_PORT', { default: 3000 }),
    /** Empty: the launcher starts its own. */
    mongodbUrl: { ...mongodbUrl, fallback: '' },
    natsUrl: { ...commonVariables.natsUrl, fallback: '' },
    logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug', 'trace'], { default: 'info' }),
  });
  return { ...config, dataDir: resolve(CHECKOUT_DIR, config.dataDir) };
}

import { resolve } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { choice, commonVariables, flag, mongodbUrl, port, readConfig, text } from '@tollgate/runtime/config';

export type Settings = ReturnType<typeof readSettings>;

/** Settings of `npm start`, documented in README.md. Throws one ConfigError with every invalid variable. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const config = readConfig(env, {
    dataDir: text('TOLLGATE_DATA_DIR', { default: '.tollgate' }),
    /** Where the APIs and the dashboard listen. In a container, all interfaces. */
    host: text('TOLLGATE_HOST', { default: '127.0.0.1' }),
    /** True in an image, which contains the built dashboard and documentation. */
    isPrebuilt: flag('TOLLGATE_PREBUILT', { default: false }),
    livePort: port('LIVE_PORT', { default: 8080 }),
    sandboxPort: port('SANDBOX_PORT', { default: 8081 }),
    adminPort: port('ADMIN_PORT', { default: 8082 }),
    dashboardPort: port('DASHBOARD_PORT', { default: 3000 }),
    /** If empty, the launcher starts its own MongoDB. */
    mongodbUrl: { ...mongodbUrl, fallback: '' },
    natsUrl: { ...commonVariables.natsUrl, fallback: '' },
    /** How many processes the components run in. */
    topology: choice('TOLLGATE_TOPOLOGY', ['all-in-one', 'separate'], { default: 'all-in-one' }),
    logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug', 'trace'], { default: 'info' }),
  });
  return { ...config, dataDir: resolve(CHECKOUT_DIR, config.dataDir) };
}

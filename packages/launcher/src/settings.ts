import { resolve } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import {
  choice,
  commonVariables,
  type Environment,
  flag,
  mongodbUrl,
  port,
  readConfig,
  text,
} from '@tollgate/runtime/config';

export type Settings = ReturnType<typeof readSettings>;

export const launcherVariables = {
  dataDir: text('TOLLGATE_DATA_DIR', {
    default: '.tollgate',
    type: 'path of a folder',
    description: 'Folder for data, secrets, and logs.',
  }),
  host: text('TOLLGATE_HOST', {
    default: '127.0.0.1',
    type: 'address',
    description: 'Where the APIs and the dashboard listen. In a container, all interfaces.',
  }),
  isPrebuilt: flag('TOLLGATE_PREBUILT', {
    default: false,
    description:
      'Uses the built dashboard and documentation without comparing their sources, as the image does.',
  }),
  topology: choice('TOLLGATE_TOPOLOGY', ['all-in-one', 'separate'], {
    default: 'all-in-one',
    description: 'Whether all components run in one process, or each in its own.',
  }),
  livePort: port('LIVE_PORT', { default: 8080, description: 'Port of the live listener.' }),
  sandboxPort: port('SANDBOX_PORT', { default: 8081, description: 'Port of the sandbox listener.' }),
  adminPort: port('ADMIN_PORT', { default: 8082, description: 'Port of the listener for the admin API.' }),
  dashboardPort: port('DASHBOARD_PORT', { default: 3000, description: 'Port of the dashboard.' }),
  mongodbUrl: {
    ...mongodbUrl,
    description: 'MongoDB to use instead of starting one. All services share the user in the address.',
    fallback: '',
  },
  natsUrl: {
    ...commonVariables.natsUrl,
    description: 'NATS to use instead of starting one. All processes share the user in the address.',
    fallback: '',
  },
  inboxPort: port('INBOX_PORT', {
    default: 0,
    defaultText: 'a free port',
    description: 'Port of the page that shows the emails that Tollgate sends, without `SMTP_URL`.',
  }),
  smtpUrl: text('SMTP_URL', {
    isSecret: true,
    default: '',
    defaultText: 'a development inbox',
    type: 'URL',
    description: 'Mail server. `MAIL_FROM` is required with it.',
  }),
  logLevel: choice('LOG_LEVEL', ['error', 'warn', 'info', 'debug', 'trace'], {
    default: 'info',
    description: 'Minimum level of the lines that the processes log.',
  }),
};

/** Read by local-servers, which imports no other package. */
export const localServerVariables = {
  natsServer: text('NATS_SERVER', {
    type: 'path of a file',
    defaultText: 'found in `PATH`, or downloaded',
    default: '',
    description: 'The `nats-server` to start.',
  }),
  cacheDir: text('TOLLGATE_CACHE_DIR', {
    type: 'path of a folder',
    default: '.cache',
    description: 'Folder for a downloaded `nats-server`.',
  }),
};

/** The environment without the files of the servers' addresses: the launcher gives each process an address of its own. */
export function withoutServerFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NATS_URL_FILE: _nats, MONGODB_URL_FILE: _mongodb, ...others } = env;
  return others;
}

/** Settings of `npm start`. Throws one ConfigError with every invalid variable. */
export function readSettings(env: Environment) {
  const config = readConfig(env, launcherVariables);
  return { ...config, dataDir: resolve(CHECKOUT_DIR, config.dataDir) };
}

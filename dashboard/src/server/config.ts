import {
  drainDelay,
  type Environment,
  origin,
  port,
  processVariables,
  readConfig,
  text,
  tracingVariables,
  url,
  type Variable,
} from '@tollgate/runtime/config';
import { cidrs } from '@tollgate/security/cidrs-variable';
import { type Keyring, parseKeyring } from '@tollgate/security/keyring';

/** A256GCM (RFC 7518 §5.3) requires a key of exactly this size. */
const COOKIE_KEY_BYTES = 32;

export type DashboardConfig = ReturnType<typeof readDashboardConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readDashboardConfig(env: Environment) {
  const config = readConfig(env, dashboardVariables);
  /** Shown in the curl examples on the pages. */
  const publicAdminApiUrl = config.publicAdminApiUrl ?? config.adminApiUrl;
  return { ...config, publicAdminApiUrl, docsUrl: config.docsUrl || `${config.liveApiUrl}/docs` };
}

const sessionCookieKeys: Variable<Keyring> = {
  name: 'SESSION_COOKIE_KEYS',
  description: 'Encrypt cookies.',
  type: `keys of ${COOKIE_KEY_BYTES} bytes`,
  isSecret: true,
  parse: (value) => parseKeyring(value, { exactBytes: COOKIE_KEY_BYTES }),
};

export const dashboardVariables = {
  ...processVariables,
  ...tracingVariables,
  host: text('HOST', { default: '127.0.0.1', description: 'Address of the listener.' }),
  port: port('PORT', { default: 3000, description: 'Port of the listener.' }),
  url: origin('DASHBOARD_URL', {
    default: 'http://localhost:3000',
    description:
      'Public address: determines the protocol, the allowed host, and whether cookies are `Secure`.',
  }),
  adminApiUrl: origin('ADMIN_API_URL', {
    default: 'http://127.0.0.1:8082',
    description: 'Where the dashboard calls the admin API, which can be an address of a private network.',
  }),
  publicAdminApiUrl: origin<string | null>('PUBLIC_ADMIN_API_URL', {
    default: null,
    defaultText: '`ADMIN_API_URL`',
    description:
      'Address of the admin API in the curl commands on pages and in `/.well-known/tollgate`, if scripts reach it at another one.',
  }),
  liveApiUrl: origin('LIVE_API_URL', {
    default: 'http://localhost:8080',
    description: 'Base address of the live API in the curl commands on pages and in `/.well-known/tollgate`.',
  }),
  sandboxApiUrl: origin('SANDBOX_API_URL', {
    default: 'http://localhost:8081',
    description:
      'Base address of the sandbox API in the curl commands on pages and in `/.well-known/tollgate`.',
  }),
  docsUrl: url('DOCS_BASE_URL', {
    protocols: ['http', 'https'],
    default: '',
    defaultText: '`LIVE_API_URL` and `/docs`',
    description: 'Where the gateways serve the documentation, for links to it.',
  }),
  developmentInboxUrl: origin<string | null>('DEVELOPMENT_INBOX_URL', {
    default: null,
    description: 'Page with the emails that Tollgate sends, which `npm start` sets. Pages then link to it.',
  }),
  sessionCookieKeys,
  drainDelayMs: drainDelay,
  trustedProxies: cidrs(
    'TRUSTED_PROXIES',
    'Proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted.',
  ),
};

import { isIP } from 'node:net';
import {
  drainDelay,
  type Environment,
  list,
  origin,
  port,
  processVariables,
  readConfig,
  text,
  tracingVariables,
  type Variable,
} from '@tollgate/runtime/config';
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

/** Without its trailing slash. */
const docsUrl: Variable<string> = {
  name: 'DOCS_BASE_URL',
  description: 'Where the gateways serve the documentation, for links to it.',
  type: 'URL',
  fallback: '',
  defaultText: '`LIVE_API_URL` and `/docs`',
  parse(value) {
    const url = URL.parse(value);
    if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.username || url.password) {
      throw new Error('must be a URL such as https://pay.example.com/docs');
    }
    return value.replace(/\/+$/, '');
  },
};

function cidrs(name: string, description: string): Variable<string[]> {
  const words = list(name);
  return {
    name,
    description,
    type: 'list of CIDRs',
    fallback: [],
    parse(value, env) {
      const found = words.parse(value, env);
      const wrong = found.find((cidr) => !isCidr(cidr));
      if (wrong === undefined) return found;
      throw new Error(
        `must be a list of CIDRs such as 10.0.0.0/8, separated by commas; "${wrong}" is not a CIDR`,
      );
    },
  };
}

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
  docsUrl,
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

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address) as 0 | 4 | 6;
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= ADDRESS_BITS[family];
}

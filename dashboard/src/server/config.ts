import { isIP } from 'node:net';
import {
  drainDelay,
  list,
  port,
  processVariables,
  readConfig,
  text,
  type Variable,
} from '@tollgate/runtime/config';
import { type Keyring, parseKeyring } from '@tollgate/security/keyring';

/** A256GCM (RFC 7518 §5.3) requires a key of exactly this size. */
const COOKIE_KEY_BYTES = 32;

export type DashboardConfig = ReturnType<typeof readDashboardConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every wrong variable. */
export function readDashboardConfig(env: Record<string, string | undefined>) {
  const config = readConfig(env, {
    ...processVariables,
    host: text('HOST', { default: '127.0.0.1' }),
    port: port('PORT', { default: 3000 }),
    /** Origin at which members reach the dashboard. The dashboard uses its protocol in every address. */
    url: origin('DASHBOARD_URL', 'http://localhost:3000'),
    /** Where the dashboard calls the admin API, which can be an address of a private network. */
    adminApiUrl: origin('ADMIN_API_URL', 'http://127.0.0.1:8082'),
    publicAdminApiUrl: origin<string | null>('PUBLIC_ADMIN_API_URL', null),
    /** Base addresses of the public API, for the curl examples on the pages. */
    liveApiUrl: origin('LIVE_API_URL', 'http://localhost:8080'),
    sandboxApiUrl: origin('SANDBOX_API_URL', 'http://localhost:8081'),
    /** Where the gateways serve the documentation. Empty: below the live address. */
    docsUrl: docsUrl('DOCS_BASE_URL'),
    sessionCookieKeys,
    drainDelayMs: drainDelay,
    /** Networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted. */
    trustedProxies: cidrs('TRUSTED_PROXIES'),
  });
  /** For the curl examples on the pages. */
  const publicAdminApiUrl = config.publicAdminApiUrl ?? config.adminApiUrl;
  return { ...config, publicAdminApiUrl, docsUrl: config.docsUrl || `${config.liveApiUrl}/docs` };
}

const sessionCookieKeys: Variable<Keyring> = {
  name: 'SESSION_COOKIE_KEYS',
  parse: (value) => parseKeyring(value, { exactBytes: COOKIE_KEY_BYTES }),
};

/** Scheme, host, and port. Errors never contain the value, because addresses may contain passwords. */
function origin<Fallback = string>(name: string, fallback: Fallback): Variable<string | Fallback> {
  return {
    name,
    fallback,
    parse(value) {
      const url = URL.parse(value);
      const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
      if (!url || !isWeb || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
        throw new Error('must be an address such as https://pay.example.com, without a path');
      }
      return url.origin;
    },
  };
}

/** Without its trailing slash. */
function docsUrl(name: string): Variable<string> {
  return {
    name,
    fallback: '',
    parse(value) {
      const url = URL.parse(value);
      if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.username || url.password) {
        throw new Error('must be a URL such as https://pay.example.com/docs');
      }
      return value.replace(/\/+$/, '');
    },
  };
}

function cidrs(name: string): Variable<string[]> {
  const words = list(name);
  return {
    name,
    fallback: [],
    parse(value) {
      const found = words.parse(value);
      const wrong = found.find((cidr) => !isCidr(cidr));
      if (wrong === undefined) return found;
      throw new Error(
        `must be a list of CIDRs such as 10.0.0.0/8, separated by commas; "${wrong}" is not a CIDR`,
      );
    },
  };
}

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address) as 0 | 4 | 6;
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= ADDRESS_BITS[family];
}

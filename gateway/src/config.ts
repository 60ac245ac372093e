import { fileURLToPath } from 'node:url';
import { RateLimit } from '@tollgate/contracts/rate-limit';
import {
  ConfigError,
  commonVariables,
  drainDelay,
  durationMs,
  list,
  port,
  readConfig,
  text,
  type Variable,
} from '@tollgate/runtime/config';
import { parseAddressRanges } from '@tollgate/security/address-ranges';
import { keyring, signer, verifierVariables } from '@tollgate/security/key-variables';
import Value from 'typebox/value';
import { secretScanningKeys } from './secret-scanning/public-keys.ts';

const DEFAULT_MAX_STALENESS_MS = 15 * 60 * 1000;

const variables = {
  ...commonVariables,
  liveHost: text('LIVE_HOST', { default: '127.0.0.1' }),
  livePort: port('LIVE_PORT', { default: 8080 }),
  sandboxHost: text('SANDBOX_HOST', { default: '127.0.0.1' }),
  sandboxPort: port('SANDBOX_PORT', { default: 8081 }),
  peppers: keyring('API_KEY_PEPPERS'),
  signingKeys: keyring('INTERNAL_SIGNING_KEYS'),
  ...verifierVariables,
  /** Signs usage windows. */
  signer: signer('gateway'),
  /** Empty: `POST /v1/secret-scanning/alerts` is not served. */
  secretScanningKeys: secretScanningKeys('SECRET_SCANNING_PUBLIC_KEYS'),
  docsBaseUrl: httpUrl('DOCS_BASE_URL', 'https://api.example.com/docs'),
  /** Folder of the built documentation. Without it, the docs respond 503. */
  docsDir: text('DOCS_DIR', {
    default: fileURLToPath(new URL('../../packages/docs-site/dist', import.meta.url)),
  }),
  /** Published addresses. An empty value means: derived from the listener. */
  liveApiUrl: httpUrl('LIVE_API_URL', 'https://api.example.com'),
  sandboxApiUrl: httpUrl('SANDBOX_API_URL', 'https://sandbox.api.example.com'),
  adminApiUrl: httpUrl('ADMIN_API_URL', 'https://admin.example.com'),
  trustedProxies: cidrs('TRUSTED_PROXIES'),
  /**
   * Folder that holds usage until it is stored: on a disk that outlives the process. Gateways on one machine may share
   * it.
   */
  usageSpoolDir: text('USAGE_SPOOL_DIR'),
  adminHost: text('ADMIN_HOST', { default: '127.0.0.1' }),
  adminPort: port('ADMIN_PORT', { default: 8082 }),
  adminTrustedProxies: cidrs('ADMIN_TRUSTED_PROXIES'),
  /** Per gateway process, like the limits of applications. */
  adminMemberRateLimit: rateLimit('ADMIN_MEMBER_RATE_LIMIT', { requests_per_second: 50, burst: 500 }),
  adminTeamRateLimit: rateLimit('ADMIN_TEAM_RATE_LIMIT', { requests_per_second: 200, burst: 2_000 }),
  adminAddressRateLimit: rateLimit('ADMIN_ADDRESS_RATE_LIMIT', { requests_per_second: 50, burst: 500 }),
  drainDelayMs: drainDelay,
  principalsMaxStalenessMs: durationMs('PRINCIPALS_MAX_STALENESS', { default: DEFAULT_MAX_STALENESS_MS }),
};

type Values = {
  [Name in keyof typeof variables]: (typeof variables)[Name] extends Variable<infer T> ? T : never;
};

export type GatewayConfig = Readonly<Values>;

/** Throws ConfigError with every missing or invalid variable. */
export function readGatewayConfig(env: Record<string, string | undefined>): GatewayConfig {
  const config = readConfig<Values>(env, variables);
  const missing: string[] = [];
  function publishedUrl(listener: 'live' | 'sandbox' | 'admin'): string {
    const [url, host, port] = [
      config[`${listener}ApiUrl`],
      config[`${listener}Host`],
      config[`${listener}Port`],
    ];
    const prefix = listener.toUpperCase();
    if (url === '' && port === 0) {
      missing.push(
        `${prefix}_API_URL is missing. Set it, because ${prefix}_PORT is 0 and clients need an address.`,
      );
    }
    return url || `http://${publicHost(host)}:${port}`;
  }
  const urls = {
    liveApiUrl: publishedUrl('live'),
    sandboxApiUrl: publishedUrl('sandbox'),
    adminApiUrl: publishedUrl('admin'),
  };
  if (missing.length > 0) throw new ConfigError(missing);
  return Object.freeze({ ...config, ...urls, docsBaseUrl: config.docsBaseUrl || `${urls.liveApiUrl}/docs` });
}

/** Links must not use an address that means "this machine" or "all interfaces". */
const LOCAL_HOSTS = new Set(['127.0.0.1', '0.0.0.0', '::', '::1']);

function publicHost(host: string): string {
  if (LOCAL_HOSTS.has(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Without its trailing slash; empty if the variable is not set. */
function httpUrl(name: string, example: string): Variable<string> {
  return {
    name,
    fallback: '',
    parse(value) {
      if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
        throw new Error(`must be a URL such as ${example}`);
      }
      return value.replace(/\/+$/, '');
    },
  };
}

/** `<requests per second>/<burst>` */
function rateLimit(name: string, fallback: RateLimit): Variable<RateLimit> {
  return {
    name,
    fallback,
    parse(value) {
      const [, rate, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? [];
      const limit = { requests_per_second: Number(rate), burst: Number(burst) };
      if (Value.Check(RateLimit, limit)) return limit;
      throw new Error(`must be requests per second and a burst, such as 50/500, not "${value}"`);
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
      try {
        parseAddressRanges(found);
      } catch (error) {
        throw new Error(`must be a list of CIDRs, separated by commas: ${(error as Error).message}`);
      }
      return found;
    },
  };
}

import { fileURLToPath } from 'node:url';
import { RateLimit } from '@tollgate/contracts/applications/rate-limit';
import {
  ConfigError,
  commonVariables,
  drainDelay,
  durationMs,
  type Environment,
  port,
  readConfig,
  streamVariables,
  text,
  type Variable,
} from '@tollgate/runtime/config';
import { cidrs } from '@tollgate/security/cidrs-variable';
import {
  apiKeyPeppers,
  internalSigningKeys,
  signer,
  verifierVariables,
} from '@tollgate/security/key-variables';
import Value from 'typebox/value';
import { secretScanningKeys } from './secret-scanning/public-keys.ts';

const DEFAULT_MAX_STALENESS_MS = 15 * 60 * 1000;

export const gatewayVariables = {
  ...commonVariables,
  ...streamVariables,
  liveHost: text('LIVE_HOST', { default: '127.0.0.1', description: 'Address of the live listener.' }),
  livePort: port('LIVE_PORT', { default: 8080, description: 'Port of the live listener.' }),
  sandboxHost: text('SANDBOX_HOST', {
    default: '127.0.0.1',
    description: 'Address of the sandbox listener.',
  }),
  sandboxPort: port('SANDBOX_PORT', { default: 8081, description: 'Port of the sandbox listener.' }),
  peppers: apiKeyPeppers,
  signingKeys: internalSigningKeys,
  ...verifierVariables,
  signer: signer('gateway', 'Sign usage windows.'),
  /** Empty: `POST /v1/secret-scanning/alerts` is not served. */
  secretScanningKeys: secretScanningKeys('SECRET_SCANNING_PUBLIC_KEYS'),
  docsBaseUrl: httpUrl('DOCS_BASE_URL', {
    example: 'https://api.example.com/docs',
    default: '`LIVE_API_URL` and `/docs`',
    description:
      'Where the gateways serve the documentation, for the `type` of errors. The same for payments.',
  }),
  docsDir: text('DOCS_DIR', {
    default: fileURLToPath(new URL('../../packages/docs-site/dist', import.meta.url)),
    defaultText: '`packages/docs-site/dist`',
    description: 'Folder of the built documentation. Without it, `/docs/` responds 503.',
  }),
  liveApiUrl: publishedUrl('live', 'https://api.example.com'),
  sandboxApiUrl: publishedUrl('sandbox', 'https://sandbox.api.example.com'),
  adminApiUrl: publishedUrl('admin', 'https://admin.example.com'),
  trustedProxies: cidrs(
    'TRUSTED_PROXIES',
    'Proxies whose `X-Forwarded-For` is trusted, for keys with allowed networks and the request log.',
  ),
  usageSpoolDir: text('USAGE_SPOOL_DIR', {
    type: 'path of a folder',
    description:
      'Holds usage until it is stored: on a disk that outlives the process. Gateways on one machine may share it.',
  }),
  adminHost: text('ADMIN_HOST', {
    default: '127.0.0.1',
    description: 'Address of the listener for the admin API.',
  }),
  adminPort: port('ADMIN_PORT', { default: 8082, description: 'Port of the listener for the admin API.' }),
  adminTrustedProxies: cidrs(
    'ADMIN_TRUSTED_PROXIES',
    "Servers of the dashboard, whose `X-Forwarded-For` is the member's address, for sign-in throttling, rate limits, and audit.",
  ),
  adminMemberRateLimit: rateLimit('ADMIN_MEMBER_RATE_LIMIT', {
    default: { requests_per_second: 50, burst: 500 },
    description: 'Limit of each member and each API token.',
  }),
  adminTeamRateLimit: rateLimit('ADMIN_TEAM_RATE_LIMIT', {
    default: { requests_per_second: 200, burst: 2_000 },
    description: 'Limit of all members and API tokens of a team together.',
  }),
  adminAddressRateLimit: rateLimit('ADMIN_ADDRESS_RATE_LIMIT', {
    default: { requests_per_second: 50, burst: 500 },
    description: 'Limit of an address whose caller is not known yet, including sign-ins.',
  }),
  principalsMaxStalenessMs: durationMs('PRINCIPALS_MAX_STALENESS', {
    default: DEFAULT_MAX_STALENESS_MS,
    description: 'How long the gateway accepts API keys that it cannot confirm with NATS.',
  }),
  drainDelayMs: drainDelay,
};

type Values = {
  [Name in keyof typeof gatewayVariables]: (typeof gatewayVariables)[Name] extends Variable<infer T>
    ? T
    : never;
};

export type GatewayConfig = Readonly<Values>;

/** Throws ConfigError with every missing or invalid variable. */
export function readGatewayConfig(env: Environment): GatewayConfig {
  const config = readConfig<Values>(env, gatewayVariables);
  const missing: string[] = [];
  function urlOf(listener: 'live' | 'sandbox' | 'admin'): string {
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
    liveApiUrl: urlOf('live'),
    sandboxApiUrl: urlOf('sandbox'),
    adminApiUrl: urlOf('admin'),
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

/** An empty value means: derived from the listener. */
function publishedUrl(listener: 'live' | 'sandbox' | 'admin', example: string): Variable<string> {
  const prefix = listener.toUpperCase();
  return httpUrl(`${prefix}_API_URL`, {
    example,
    default: `\`http://localhost\` and \`${prefix}_PORT\``,
    description: `Published address of the ${listener} listener. Required if \`${prefix}_PORT\` is 0.`,
  });
}

/** Without its trailing slash; empty if the variable is not set. */
function httpUrl(
  name: string,
  { example, default: defaultText, description }: { example: string; default: string; description: string },
): Variable<string> {
  return {
    name,
    description,
    type: 'URL',
    fallback: '',
    defaultText,
    parse(value) {
      const url = URL.parse(value);
      if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`must be a URL such as ${example}`);
      // The normal form, because headers of responses contain it.
      return url.href.replace(/\/+$/, '');
    },
  };
}

/** `<requests per second>/<burst>` */
function rateLimit(
  name: string,
  { default: fallback, description }: { default: RateLimit; description: string },
): Variable<RateLimit> {
  return {
    name,
    description: `${description} Per gateway.`,
    type: '`<requests per second>/<burst>`',
    fallback,
    defaultText: `\`${fallback.requests_per_second}/${fallback.burst}\``,
    parse(value) {
      const [, rate, burst] = /^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? [];
      const limit = { requests_per_second: Number(rate), burst: Number(burst) };
      if (Value.Check(RateLimit, limit)) return limit;
      throw new Error(`must be requests per second and a burst, such as 50/500, not "${value}"`);
    },
  };
}

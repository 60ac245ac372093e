import { isIP } from 'node:net';
import { type Keyring, parseKeyring } from './keyring.ts';

export interface DashboardConfig {
  host: string;
  port: number;
  /** Origin at which people reach the dashboard. Its protocol is that of every address the dashboard makes. */
  url: string;
  adminApiUrl: string;
  /** Base addresses of the public API, for the curl lines that the pages show. */
  liveApiUrl: string;
  sandboxApiUrl: string;
  sessionCookieKeys: Keyring;
  /** CIDRs of proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are believed. */
  trustedProxies: readonly string[];
  opsHost: string;
  opsPort: number;
  logLevel: LogLevel;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every variable that is missing or wrong, in one error, each with its remedy. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads and validates the environment; throws one ConfigError. */
export function readDashboardConfig(env: Record<string, string | undefined>): Readonly<DashboardConfig> {
  const problems: string[] = [];

  function read<T>(name: string, fallback: string | undefined, parse: (text: string) => T): T {
    const text = env[name]?.trim() || fallback;
    if (text === undefined) {
      problems.push(`${name} is missing. Set it in the environment.`);
      return undefined as T;
    }
    try {
      return parse(text);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}.`);
      return undefined as T;
    }
  }

  const config: DashboardConfig = {
    host: read('HOST', '127.0.0.1', (text) => text),
    port: read('PORT', '3000', parsePort),
    url: read('DASHBOARD_URL', 'http://localhost:3000', parseOrigin),
    adminApiUrl: read('ADMIN_API_URL', 'http://127.0.0.1:8082', parseOrigin),
    liveApiUrl: read('LIVE_API_URL', 'http://localhost:8080', parseOrigin),
    sandboxApiUrl: read('SANDBOX_API_URL', 'http://localhost:8081', parseOrigin),
    sessionCookieKeys: read('SESSION_COOKIE_KEYS', undefined, parseKeyring),
    trustedProxies: read('TRUSTED_PROXIES', '', parseCidrs),
    opsHost: read('OPS_HOST', '127.0.0.1', (text) => text),
    opsPort: read('OPS_PORT', '0', parsePort),
    logLevel: read('LOG_LEVEL', 'info', parseLogLevel),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

const MAX_PORT = 65_535;

/** 0 takes a free one. */
function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > MAX_PORT) {
    throw new Error(`must be a whole number from 0 to ${MAX_PORT}, not "${text}"`);
  }
  return port;
}

/** The text itself is not shown when it is rejected: addresses may carry passwords. */
function parseOrigin(text: string): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new Error('must be an address such as https://pay.example.com, without a path');
  }
  return url.origin;
}

function parseCidrs(text: string): string[] {
  const cidrs = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wrong = cidrs.find((cidr) => !isCidr(cidr));
  if (wrong !== undefined) {
    throw new Error(`must be a list of CIDRs such as 10.0.0.0/8, separated by commas; "${wrong}" is none`);
  }
  return cidrs;
}

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const family = isIP(address) as 0 | 4 | 6;
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= ADDRESS_BITS[family];
}

function parseLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level === undefined) throw new Error(`must be one of ${LOG_LEVELS.join(', ')}, not "${text}"`);
  return level;
}

import { ConfigError } from '@tollgate/runtime/config';
import { expect, it } from 'vitest';
import { readDashboardConfig } from './config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const NEEDED = { SESSION_COOKIE_KEYS: `1:${KEY}` };

it('the configuration requires only the cookie keys', () => {
  expect(readDashboardConfig(NEEDED)).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    url: 'http://localhost:3000',
    adminApiUrl: 'http://127.0.0.1:8082',
    publicAdminApiUrl: 'http://127.0.0.1:8082',
    docsUrl: 'http://localhost:8080/docs',
    trustedProxies: [],
    opsPort: 0,
  });
});

it('the configuration shows scripts another address of the admin API than the one that the dashboard calls', () => {
  const config = readDashboardConfig({ ...NEEDED, PUBLIC_ADMIN_API_URL: 'https://admin.example.com/' });
  expect(config).toMatchObject({
    adminApiUrl: 'http://127.0.0.1:8082',
    publicAdminApiUrl: 'https://admin.example.com',
  });
});

it('the configuration reports all invalid variables at once, each with its remedy', () => {
  const wrong = {
    SESSION_COOKIE_KEYS: '1:c2hvcnQ=',
    DASHBOARD_URL: 'https://pay.example.com/dashboard',
    PORT: '70000',
    TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33',
    LOG_LEVEL: 'loud',
  };
  expect(() => readDashboardConfig(wrong)).toThrow(ConfigError);
  for (const said of [
    /SESSION_COOKIE_KEYS has a key of 5 bytes in version 1; create one of 32 with: openssl rand -base64 32/,
    /DASHBOARD_URL must be an address such as https:\/\/pay\.example\.com, without a path/,
    /PORT must be a whole number from 0 to 65535/,
    /TRUSTED_PROXIES must be a list of CIDRs.*"10\.0\.0\.0\/33" is not a CIDR/,
    /LOG_LEVEL must be one of/,
  ]) {
    expect(() => readDashboardConfig(wrong)).toThrow(said);
  }
});

it('the configuration reports missing cookie keys', () => {
  expect(() => readDashboardConfig({})).toThrow(
    'SESSION_COOKIE_KEYS is missing. Set it in the environment, or set SESSION_COOKIE_KEYS_FILE',
  );
});

it('the configuration reveals no secret in an error', () => {
  const secret = Buffer.alloc(16, 9).toString('base64');
  const wrong = { SESSION_COOKIE_KEYS: `1:${secret}`, ADMIN_API_URL: 'http://me:hunter2@gateway' };
  try {
    readDashboardConfig(wrong);
    expect.unreachable();
  } catch (error) {
    expect(String(error)).toContain('ADMIN_API_URL');
    expect(String(error)).not.toContain('hunter2');
    expect(String(error)).not.toContain(secret);
  }
});

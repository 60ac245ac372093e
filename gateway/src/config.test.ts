import { randomBytes } from 'node:crypto';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { expect, test } from 'vitest';
import { readGatewayConfig } from './config.ts';

const key = `1:${randomBytes(32).toString('base64')}`;
const { privateKeys, publicKeys } = createIssuerKeys();
const required = {
  NATS_URL: 'nats://127.0.0.1:4222',
  API_KEY_PEPPERS: key,
  INTERNAL_SIGNING_KEYS: key,
  SIGNING_KEYS: privateKeys.gateway,
  SIGNER_PUBLIC_KEYS: publicKeys,
  USAGE_SPOOL_DIR: '/var/lib/tollgate/usage',
};

test('the configuration binds to loopback, trusts no proxy, and links to the live address by default', () => {
  expect(readGatewayConfig(required)).toMatchObject({
    liveHost: '127.0.0.1',
    livePort: 8080,
    sandboxHost: '127.0.0.1',
    sandboxPort: 8081,
    trustedProxies: [],
    adminHost: '127.0.0.1',
    adminPort: 8082,
    adminTrustedProxies: [],
    principalsMaxStalenessMs: 15 * 60 * 1000,
    liveApiUrl: 'http://localhost:8080',
    sandboxApiUrl: 'http://localhost:8081',
    adminApiUrl: 'http://localhost:8082',
    docsBaseUrl: 'http://localhost:8080/docs',
  });
});

test('the configuration publishes the addresses of the environments, and links to the docs below the live one', () => {
  expect(
    readGatewayConfig({
      ...required,
      LIVE_API_URL: 'https://api.example.com/',
      SANDBOX_API_URL: 'https://sandbox.example.com',
      ADMIN_API_URL: 'https://admin.example.com',
    }),
  ).toMatchObject({
    liveApiUrl: 'https://api.example.com',
    sandboxApiUrl: 'https://sandbox.example.com',
    adminApiUrl: 'https://admin.example.com',
    docsBaseUrl: 'https://api.example.com/docs',
  });
});

test('the configuration links to DOCS_BASE_URL without its trailing slash', () => {
  const config = readGatewayConfig({ ...required, DOCS_BASE_URL: 'https://api.example.com/docs/' });
  expect(config.docsBaseUrl).toBe('https://api.example.com/docs');
});

test('the configuration names every missing or invalid variable', () => {
  const read = () =>
    readGatewayConfig({
      TRUSTED_PROXIES: '10.0.0.0/8, all',
      ADMIN_TRUSTED_PROXIES: 'dashboard',
      DOCS_BASE_URL: 'docs',
      PRINCIPALS_MAX_STALENESS: '15',
    });
  expect(read).toThrow(/NATS_URL is missing/);
  expect(read).toThrow(/API_KEY_PEPPERS is missing/);
  expect(read).toThrow(/INTERNAL_SIGNING_KEYS is missing/);
  expect(read).toThrow(/USAGE_SPOOL_DIR is missing/);
  expect(read).toThrow(/\bTRUSTED_PROXIES must be a list of CIDRs.*"all"/);
  expect(read).toThrow(/ADMIN_TRUSTED_PROXIES must be a list of CIDRs.*"dashboard"/);
  expect(read).toThrow(/DOCS_BASE_URL must be a URL/);
  expect(read).toThrow(/PRINCIPALS_MAX_STALENESS must be a duration/);
});

test.each(['LIVE', 'SANDBOX', 'ADMIN'])(
  'the configuration requires the published address when %s_PORT is 0',
  (listener) => {
    const read = (env: Record<string, string>) =>
      readGatewayConfig({ ...required, [`${listener}_PORT`]: '0', ...env });
    expect(() => read({})).toThrow(`${listener}_API_URL is missing`);
    expect(() => read({ [`${listener}_API_URL`]: 'https://api.example.com' })).not.toThrow();
  },
);

import { generateKeyPairSync } from 'node:crypto';
import { newId } from '@tollgate/contracts/platform/ids';
import { createIssuerKeys, createSigningKeys } from '@tollgate/security/test/issuer-keys';
import { expect, it } from 'vitest';
import { readAccountsConfig } from './config.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const valid = {
  NATS_URL: 'nats://127.0.0.1:4222',
  MONGODB_URL: 'mongodb://127.0.0.1:27017',
  ACCOUNTS_ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  ACTOR_SIGNING_KEY: privateKey,
  ACTOR_PUBLIC_KEYS: publicKey,
  SIGNING_KEYS: createSigningKeys(),
  SIGNER_PUBLIC_KEYS: createIssuerKeys().publicKeys,
};

it('the configuration is frozen, serves probes on the loopback address, and allows no setup by default', () => {
  const config = readAccountsConfig(valid);
  expect(config).toMatchObject({ opsHost: '127.0.0.1', opsPort: 0, logLevel: 'info', setupToken: null });
  expect(Object.isFrozen(config)).toBe(true);
});

it.each(Object.keys(valid))('the configuration names %s when it is missing', (name) => {
  expect(() => readAccountsConfig({ ...valid, [name]: '' })).toThrow(name);
});

it('the configuration rejects a setup token that is easy to guess, without showing it', () => {
  expect(() => readAccountsConfig({ ...valid, SETUP_TOKEN: 'letmein' })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^(?!.*letmein).*SETUP_TOKEN/s) }),
  );
});

it('the configuration sends no mail by default, and requires a sender with a mail server', () => {
  expect(readAccountsConfig(valid)).toMatchObject({ smtp: null, mailFrom: null });
  const SMTP_URL = 'smtps://user:p%40ss@mail.example.com';
  expect(() => readAccountsConfig({ ...valid, SMTP_URL })).toThrow('MAIL_FROM is missing');
  const MAIL_FROM = 'Tollgate <tollgate@example.com>';
  expect(readAccountsConfig({ ...valid, SMTP_URL, MAIL_FROM }).smtp).toEqual({
    host: 'mail.example.com',
    port: 465,
    isEncrypted: true,
    isLocal: false,
    auth: { user: 'user', pass: 'p@ss' },
  });
});

it.each([
  ['SMTP_URL', 'https://mail.example.com'],
  ['SMTP_URL', 'smtp://user:hidden@mail.example.com/path'],
  ['SMTP_URL', 'smtp://user:hidden%@mail.example.com'],
  ['MAIL_FROM', 'Tollgate'],
  ['MAIL_FROM', 'a@example.com, b@example.com'],
  ['MAIL_FROM', 'Tollgate <a@example.com>\r\nBcc: <b@example.com>'],
  ['DASHBOARD_URL', 'https://pay.example.com/dashboard'],
  ['SSO_NETWORKS', '10.0.0.0/33'],
])('the configuration rejects %s=%s', (name, value) => {
  expect(() => readAccountsConfig({ ...valid, [name]: value })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`^(?!.*hidden).*${name}`, 's')) }),
  );
});

it('the configuration reads the domains that the operator verified, in lower case and ASCII', () => {
  const team = newId('team');
  const { ssoVerifiedDomains } = readAccountsConfig({
    ...valid,
    SSO_VERIFIED_DOMAINS: `Example.com=${team}, bücher.example = ${team}`,
  });
  expect([...ssoVerifiedDomains]).toEqual([
    ['example.com', team],
    ['xn--bcher-kva.example', team],
  ]);
  for (const text of [
    'example.com',
    'example.com=team_1',
    `a@b.example=${team}`,
    `a.example=${team},a.example=${team}`,
  ]) {
    expect(() => readAccountsConfig({ ...valid, SSO_VERIFIED_DOMAINS: text })).toThrow(
      'SSO_VERIFIED_DOMAINS',
    );
  }
});

it('the configuration rejects an invalid signing key, without showing it', () => {
  for (const text of [publicKey, `${privateKey}${publicKey}`]) {
    expect(() => readAccountsConfig({ ...valid, ACTOR_SIGNING_KEY: text })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(text.slice(28, 60)) }),
    );
  }
});

it('the configuration rejects public keys that do not match the signing key, and accepts an earlier key beside the matching one', () => {
  const { publicKey: other } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  expect(() => readAccountsConfig({ ...valid, ACTOR_PUBLIC_KEYS: other })).toThrow('ACTOR_PUBLIC_KEYS');
  const both = `${other}${publicKey}`;
  expect(readAccountsConfig({ ...valid, ACTOR_PUBLIC_KEYS: both }).actorPublicKeys).toHaveLength(2);
});

it('the configuration accepts the next key of actor tokens behind the one that signs, if its public half is known', () => {
  const next = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const encoded = [privateKey, next.privateKey].map((pem) => Buffer.from(pem).toString('base64')).join(',');
  const added = { ...valid, ACTOR_SIGNING_KEY: encoded };
  expect(() => readAccountsConfig(added)).toThrow('the public half of each key');
  const { actorSigningKeys } = readAccountsConfig({
    ...added,
    ACTOR_PUBLIC_KEYS: `${publicKey}${next.publicKey}`,
  });
  expect(actorSigningKeys.map((key) => key.trim())).toEqual([privateKey.trim(), next.privateKey.trim()]);
});

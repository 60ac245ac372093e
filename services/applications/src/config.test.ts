import { generateKeyPairSync } from 'node:crypto';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { expect, it } from 'vitest';
import { readApplicationsConfig } from './config.ts';

const { publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const { privateKeys, publicKeys } = createIssuerKeys();
const valid = {
  NATS_URL: 'nats://127.0.0.1:4222',
  MONGODB_URL: 'mongodb://127.0.0.1:27017',
  API_KEY_PEPPERS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  ACTOR_PUBLIC_KEYS: publicKey,
  SIGNING_KEYS: privateKeys.applications,
  SIGNER_PUBLIC_KEYS: publicKeys,
};

it('the configuration is frozen, and serves probes on the loopback address by default', () => {
  const config = readApplicationsConfig(valid);
  expect(config).toMatchObject({ opsHost: '127.0.0.1', opsPort: 0, logLevel: 'info' });
  expect(Object.isFrozen(config)).toBe(true);
});

it.each(Object.keys(valid))('the configuration names %s when it is missing', (name) => {
  expect(() => readApplicationsConfig({ ...valid, [name]: '' })).toThrow(name);
});

it('the configuration names every invalid variable at once', () => {
  const wrong = {
    NATS_URL: 'http://x',
    MONGODB_URL: '',
    API_KEY_PEPPERS: '',
    ACTOR_PUBLIC_KEYS: '',
    SIGNING_KEYS: '1:c2VjcmV0',
  };
  expect(() => readApplicationsConfig(wrong)).toThrow(
    expect.toSatisfy(({ message }: Error) => Object.keys(wrong).every((name) => message.includes(name))),
  );
});

it('the configuration never shows a pepper that it rejects', () => {
  const pepper = Buffer.from('too short').toString('base64');
  expect(() => readApplicationsConfig({ ...valid, API_KEY_PEPPERS: `1:${pepper}` })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(pepper) }),
  );
});

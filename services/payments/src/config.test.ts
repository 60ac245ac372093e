import { generateKeyPairSync } from 'node:crypto';
import { createSigningKeys } from '@tollgate/security/test/issuer-keys';
import { expect, test } from 'vitest';
import { readPaymentsConfig } from './config.ts';

const required = {
  MONGODB_URL: 'mongodb://127.0.0.1:27017',
  NATS_URL: 'nats://127.0.0.1:4222',
  INTERNAL_SIGNING_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
  ACTOR_PUBLIC_KEYS: generateKeyPairSync('ed25519')
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString(),
  SIGNING_KEYS: createSigningKeys(),
};

test('the defaults are safe: loopback only, members settle live payments, and the sandbox settles its own', () => {
  expect(readPaymentsConfig(required)).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    defaultProcessor: { live: 'manual', sandbox: 'sandbox' },
    callbackHost: '127.0.0.1',
    callbackPort: null,
    sandboxSettlementDelayMs: 1_000,
    paymentExpiryMs: { live: 604_800_000, sandbox: 86_400_000 },
  });
});

test('PAYMENT_EXPIRY applies to both environments', () => {
  const config = readPaymentsConfig({ ...required, PAYMENT_EXPIRY: '36h' });
  expect(config.paymentExpiryMs).toEqual({ live: 129_600_000, sandbox: 129_600_000 });
});

test('an instance that listens on every address must state the address at which gateways reach it', () => {
  for (const HOST of ['0.0.0.0', '::']) {
    expect(() => readPaymentsConfig({ ...required, HOST })).toThrow('ADVERTISED_URL is missing');
  }
  const told = readPaymentsConfig({
    ...required,
    HOST: '0.0.0.0',
    ADVERTISED_URL: 'http://payments-1:8090/',
  });
  expect(told.advertisedUrl).toBe('http://payments-1:8090');
});

test.each(['http://payments/v1', 'http://u:p@payments', 'nats://payments', 'http://payments?x', 'payments'])(
  'the advertised address %s, which no gateway would accept, is rejected',
  (ADVERTISED_URL) => {
    const read = () => readPaymentsConfig({ ...required, ADVERTISED_URL });
    expect(read).toThrow('ADVERTISED_URL must be an address such as');
  },
);

test('an invalid configuration is rejected with every invalid variable named', () => {
  const read = () =>
    readPaymentsConfig({ MONGODB_URL: 'http://x', LIVE_PROCESSOR: 'magic', PAYMENT_EXPIRY: 'soon' });
  for (const name of [
    'MONGODB_URL',
    'NATS_URL',
    'INTERNAL_SIGNING_KEYS',
    'ACTOR_PUBLIC_KEYS',
    'SIGNING_KEYS',
    'LIVE_PROCESSOR',
    'PAYMENT_EXPIRY',
  ]) {
    expect(read).toThrow(name);
  }
});

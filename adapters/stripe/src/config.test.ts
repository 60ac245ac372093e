import { expect, it } from 'vitest';
import { readStripeConfig } from './config.ts';

const ENV = { STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWD', STRIPE_WEBHOOK_SECRET: 'whsec_4eC39HqLyjWD' };

it.each([
  ['sk_test_4eC39HqLyjWD', 'sandbox'],
  ['rk_test_4eC39HqLyjWD', 'sandbox'],
  ['sk_live_4eC39HqLyjWD', 'live'],
  ['rk_live_4eC39HqLyjWD', 'live'],
])('readStripeConfig reads the environment from the prefix of %s', (key, environment) => {
  expect(readStripeConfig({ ...ENV, STRIPE_SECRET_KEY: key }).environment).toBe(environment);
});

it.each([
  'pk_test_4eC39HqLyjWD',
  'sk_org_4eC39HqLyjWD',
  'whsec_4eC39HqLyjWD',
  'sk_test_x',
  'sk_test_4eC39HqLyj\nX: 1',
])('readStripeConfig rejects the key %j without showing it', (key) => {
  const read = () => readStripeConfig({ ...ENV, STRIPE_SECRET_KEY: key });
  expect(read).toThrow('STRIPE_SECRET_KEY must be a secret or restricted key');
  expect(read).not.toThrow(key);
});

it('readStripeConfig reads several webhook secrets', () => {
  const env = { ...ENV, STRIPE_WEBHOOK_SECRET: 'whsec_4eC39HqLyjWD, whsec_WDarjtT1zdp7' };
  expect(readStripeConfig(env).webhookSecrets).toEqual(['whsec_4eC39HqLyjWD', 'whsec_WDarjtT1zdp7']);
  expect(() => readStripeConfig({ ...ENV, STRIPE_WEBHOOK_SECRET: 'secret' })).toThrow('whsec_');
});

it('readStripeConfig accepts another API address for a test key only', () => {
  const env = { ...ENV, STRIPE_API_URL: 'http://127.0.0.1:12111' };
  expect(readStripeConfig(env).apiUrl?.port).toBe('12111');
  expect(() => readStripeConfig({ ...env, STRIPE_SECRET_KEY: 'sk_live_4eC39HqLyjWD' })).toThrow(
    'STRIPE_API_URL',
  );
  expect(() => readStripeConfig({ ...ENV, STRIPE_API_URL: 'http://user:password@host' })).toThrow(
    'STRIPE_API_URL',
  );
});

it('readStripeConfig lists every missing variable', () => {
  expect(() => readStripeConfig({})).toThrow(
    /STRIPE_SECRET_KEY is missing[\s\S]*STRIPE_WEBHOOK_SECRET is missing/,
  );
});

import { expect, it } from 'vitest';
import { readMollieConfig } from './config.ts';

const ENV = {
  MOLLIE_API_KEY: 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM',
  MOLLIE_WEBHOOK_URL: 'https://adapter.example/webhooks',
};

it('readMollieConfig reads the environment from the prefix of the key', () => {
  expect(readMollieConfig(ENV)).toEqual({
    apiKey: ENV.MOLLIE_API_KEY,
    environment: 'sandbox',
    apiUrl: 'https://api.mollie.com/v2/',
    webhookUrl: 'https://adapter.example/webhooks',
    webhookSecrets: [],
  });
  const live = readMollieConfig({ ...ENV, MOLLIE_API_KEY: 'live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM' });
  expect(live.environment).toBe('live');
});

it.each([
  'access_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM',
  'sandbox_dHar4XY7Lx',
  'test_short',
  'test_dHar4XY7Lx\nX-Header: 1',
])('readMollieConfig rejects the key %j without repeating it', (key) => {
  const read = () => readMollieConfig({ ...ENV, MOLLIE_API_KEY: key });
  expect(read).toThrow('MOLLIE_API_KEY must be an API key of Mollie, which starts with test_ or live_.');
  expect(read).not.toThrow(key);
});

it('readMollieConfig lists every missing variable', () => {
  expect(() => readMollieConfig({})).toThrow(/MOLLIE_API_KEY is missing[\s\S]*MOLLIE_WEBHOOK_URL is missing/);
});

it('readMollieConfig requires https with a live key', () => {
  const env = { ...ENV, MOLLIE_API_URL: 'http://127.0.0.1:1/v2', MOLLIE_WEBHOOK_URL: 'http://x.example' };
  expect(readMollieConfig(env).apiUrl).toBe('http://127.0.0.1:1/v2/');
  expect(() => readMollieConfig({ ...env, MOLLIE_API_KEY: 'live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM' })).toThrow(
    /MOLLIE_API_URL must start with https[\s\S]*MOLLIE_WEBHOOK_URL must start with https/,
  );
});

it.each(['adapter.example', 'ftp://adapter.example', 'https://user:secret@adapter.example'])(
  'readMollieConfig rejects the address %s',
  (address) => {
    expect(() => readMollieConfig({ ...ENV, MOLLIE_WEBHOOK_URL: address })).toThrow('without a password');
  },
);

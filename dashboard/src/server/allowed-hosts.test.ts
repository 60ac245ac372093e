import { expect, it } from 'vitest';
import { createHostCheck } from './allowed-hosts.ts';

it.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST:3000'])(
  'the host check accepts %s on loopback',
  (host) => {
    expect(createHostCheck('http://localhost:3000')(host)).toBe(true);
    expect(createHostCheck('http://127.0.0.1:3000')(host)).toBe(true);
  },
);

it.each([
  undefined,
  '',
  'localhost',
  'localhost:3001',
  'evil.example:3000',
  'localhost:3000.evil.example',
  'localhost:3000@evil.example',
  'localhost:3000/x',
  '127.0.0.2:3000',
])('the host check rejects %s on loopback', (host) => {
  expect(createHostCheck('http://localhost:3000')(host)).toBe(false);
});

it('the host check accepts only the public host of a public address, with or without the default port', () => {
  const isOurs = createHostCheck('https://pay.example.com');
  expect(isOurs('pay.example.com')).toBe(true);
  expect(isOurs('pay.example.com:443')).toBe(true);
  expect(isOurs('pay.example.com:80')).toBe(false);
  expect(isOurs('localhost')).toBe(false);
  expect(isOurs('pay.example.com.evil.example')).toBe(false);
});

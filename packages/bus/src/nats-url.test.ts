import { expect, it } from 'vitest';
import { parseNatsUrl } from './nats-url.ts';

it('the address of NATS contains the URL-escaped user and password', () => {
  expect(parseNatsUrl('nats://us%40er:4222%3A%2F@example.test:4333')).toEqual({
    servers: ['example.test:4333'],
    user: 'us@er',
    password: '4222:/',
    tls: false,
  });
});

it('the address of NATS lists the servers of a cluster, with the default port', () => {
  expect(parseNatsUrl('tls://a.test, tls://b.test:5000,tls://[::1]:6000')).toEqual({
    servers: ['a.test:4222', 'b.test:5000', '[::1]:6000'],
    user: undefined,
    password: undefined,
    tls: true,
  });
});

it.each([
  '',
  'nats://',
  'localhost:4222',
  'http://secret-password@localhost',
  'nats://u:secret-password@a,nats://b',
  'nats://a,tls://b',
])('the address of NATS is rejected when it is "%s", without repeating it', (text) => {
  expect(() => parseNatsUrl(text)).toThrow('The NATS address is not valid');
  expect(() => parseNatsUrl(text)).not.toThrow('secret-password');
});

import { expect, test } from 'vitest';
import { networkOf } from './client-network.ts';

test('the network of a client is its IPv4 address, also in IPv4-mapped form', () => {
  expect(networkOf('192.0.2.1')).toBe(networkOf('::ffff:192.0.2.1'));
  expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'));
});

test('the network of a client is the /64 of its IPv6 address', () => {
  expect(networkOf('2001:db8:0:1::1')).toBe(networkOf('2001:db8:0:1:ffff::2'));
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8:0:2::1'));
});

test('the network of a client is one for all clients whose address is unreadable', () => {
  expect(networkOf('x'.repeat(200))).toBe(networkOf(null));
});

import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createReadSender } from './read-sender.ts';

/** Reads a request of this connection, with the entries that were reported as unreadable. */
function read(trustedProxies: string[], remoteAddress: string | undefined, forwardedFor?: string) {
  const unreadable: string[] = [];
  const readSender = createReadSender(trustedProxies, (entry) => unreadable.push(entry));
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const socket = { remoteAddress } as IncomingMessage['socket'];
  return { ...readSender({ headers, socket }), unreadable };
}

const PROXIES = ['10.0.0.0/8', 'fd00::/8'];
const addressOf = (forwardedFor: string | undefined, remoteAddress = '10.0.0.1') =>
  read(PROXIES, remoteAddress, forwardedFor).address;

test('the sender of a request has the address of the connection when no proxy is trusted, regardless of headers', () => {
  expect(read([], '192.0.2.1', '198.51.100.7')).toEqual({
    address: '192.0.2.1',
    viaTrustedProxy: false,
    unreadable: [],
  });
  expect(read(PROXIES, '192.0.2.1', 'unknown')).toMatchObject({ address: '192.0.2.1', unreadable: [] });
});

test('the sender of a request has the address that the nearest trusted proxy has seen, not one that the client claims', () => {
  expect(read(PROXIES, '10.0.0.1', '203.0.113.9, 198.51.100.7')).toEqual({
    address: '198.51.100.7',
    viaTrustedProxy: true,
    unreadable: [],
  });
  expect(addressOf('198.51.100.7, 10.0.0.2', 'fd00::1')).toBe('198.51.100.7');
  expect(read(PROXIES, '10.0.0.1', 'unknown, 198.51.100.7').unreadable).toEqual([]);
});

test('the sender of a request has the address that a balancer sends with its port or in brackets', () => {
  expect(addressOf('203.0.113.9, 198.51.100.7:51008')).toBe('198.51.100.7');
  expect(addressOf('[2001:db8::7]:443')).toBe('2001:db8::7');
  expect(addressOf('198.51.100.7:51008, 10.0.0.2:443, [fd00::2]:443')).toBe('198.51.100.7');
});

test('the sender of a request has the address of the proxy when it forwards none', () => {
  for (const forwardedFor of [undefined, '', ' , ,']) expect(addressOf(forwardedFor)).toBe('10.0.0.1');
});

test('the sender of a request has the last address of a list with spaces and empty entries', () => {
  expect(addressOf('203.0.113.9,\t198.51.100.7 , , ')).toBe('198.51.100.7');
});

test('the sender of a request has an IPv4 address when a dual-stack listener shows it as IPv6', () => {
  expect(addressOf(undefined, '::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(addressOf('198.51.100.7', '::ffff:10.0.0.1')).toBe('198.51.100.7');
});

test('the sender of a request has no address, which is reported, when a trusted proxy sends one that is unreadable', () => {
  expect(read(PROXIES, '10.0.0.1', '198.51.100.7, unknown')).toEqual({
    address: null,
    viaTrustedProxy: true,
    unreadable: ['unknown'],
  });
  expect(read(PROXIES, '10.0.0.1', 'unknown, 10.0.0.2:443').unreadable).toEqual(['unknown']);
});

test('the sender of a request has no address after the connection has closed, which is not an error of a proxy', () => {
  expect(read(PROXIES, undefined, 'unknown')).toMatchObject({ address: null, unreadable: [] });
});

import { describe, expect, test } from 'vitest';
import { isNetworkWithin, parseAddressRanges } from './address-ranges.ts';

describe('address ranges', () => {
  test.each([
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.0/24', '::ffff:192.0.2.9', true],
    ['::ffff:192.0.2.0/120', '192.0.2.9', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '192.0.2.1', false],
    ['192.0.2.1/32', 'unknown', false],
    ['192.0.2.1/32', '', false],
  ])('the range %s and the address %s: %s', (cidr, address, expected) => {
    expect(parseAddressRanges([cidr])(address)).toBe(expected);
  });

  test('an empty list matches no address', () => {
    expect(parseAddressRanges([])('192.0.2.1')).toBe(false);
  });

  test.each([
    ['192.0.2.0/24', ['192.0.2.0/24'], true],
    ['192.0.2.128/25', ['10.0.0.0/8', '192.0.2.0/24'], true],
    ['192.0.2.0/23', ['192.0.2.0/24'], false],
    ['192.0.3.0/24', ['192.0.2.0/24'], false],
    ['2001:db8:1::/48', ['2001:db8::/32'], true],
    ['2001:db8::/32', ['0.0.0.0/0'], false],
    ['192.0.2.0/24', ['::/0'], false],
    ['192.0.2.0/24', [], false],
  ])('the network %s is within one of %j: %s', (cidr, others, expected) => {
    expect(isNetworkWithin(cidr, others)).toBe(expected);
  });

  test.each(['192.0.2.1', 'everyone', '192.0.2.0/33', ''])('%j is rejected', (cidr) => {
    expect(() => parseAddressRanges([cidr])).toThrow(RangeError);
  });
});

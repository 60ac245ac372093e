import { Problem } from '@tollgate/contracts/platform/problem';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { describe, expect, test } from 'vitest';
import { createLimitByAddress } from './limit-by-address.ts';

const REQUESTS = 5_000;

/** Number of the requests that the limit allows at one moment. */
function allowedOf(addressOf: (index: number) => string | null): number {
  const limitByAddress = createLimitByAddress(createFakeClock());
  let allowed = 0;
  for (let index = 0; index < REQUESTS; index++) {
    try {
      limitByAddress({ clientAddress: addressOf(index) });
      allowed++;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return allowed;
}

describe('the limit of an address', () => {
  const burst = allowedOf(() => '192.0.2.1');

  test('the limit of an address rejects the requests after the burst', () => {
    expect(burst).toBeLessThan(100);
  });

  test('the limit of an address is one for all addresses of an IPv6 /64 network', () => {
    expect(allowedOf((index) => `2001:db8:0:1::${index.toString(16)}`)).toBe(burst);
  });

  test('the limit of an address is one for all clients whose address is unreadable', () => {
    expect(allowedOf(() => null)).toBe(burst);
  });
});

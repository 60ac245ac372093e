import { describe, expect, it } from 'vitest';
import { endpointAddress } from './endpoint-address.ts';

describe('where a delivery goes', () => {
  it('is the URL of its endpoint, or that the endpoint is gone', () => {
    expect(endpointAddress('https://example.com/hooks', 32)).toBe('example.com/hooks');
    expect(endpointAddress(null, 32)).toBe('Deleted endpoint');
  });
});

import { expect, it } from 'vitest';
import { endpointAddress } from './endpoint-address.ts';

it('the address of a delivery is the URL of its endpoint, or says that the endpoint was deleted', () => {
  expect(endpointAddress('https://example.com/hooks', 32)).toBe('example.com/hooks');
  expect(endpointAddress(null, 32)).toBe('Deleted endpoint');
});

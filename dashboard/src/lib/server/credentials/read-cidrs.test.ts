import { expect, it } from 'vitest';
import { readCidrs } from './restrictions.ts';

it.each([
  ['10.0.0.0/8\r\n2001:db8::/32\r\n', ['10.0.0.0/8', '2001:db8::/32']],
  ['10.0.0.0/8, 192.0.2.7;198.51.100.0/24', ['10.0.0.0/8', '192.0.2.7', '198.51.100.0/24']],
  [' \n\n ', []],
])('`readCidrs` reads the networks in %j', (text, cidrs) => {
  expect(readCidrs(text)).toEqual(cidrs);
});

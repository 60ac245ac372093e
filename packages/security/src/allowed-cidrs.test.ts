import { expect, it } from 'vitest';
import { normalizeCidrs } from './allowed-cidrs.ts';

it.each([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['203.0.113.7', '203.0.113.7/32'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  [' 192.0.2.0/24 ', '192.0.2.0/24'],
  ['2001:DB8:0:0::1/32', '2001:db8::/32'],
  ['::1', '::1/128'],
  ['::/0', '::/0'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ['::ffff:192.0.2.1', '192.0.2.1/32'],
])('allowed networks are normalized: %s becomes %s', (text, cidr) => {
  expect(normalizeCidrs([text], '/allowed_cidrs')).toEqual({ cidrs: [cidr], errors: [] });
});

it.each([
  '',
  'localhost',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  '010.0.0.0/8',
  '0x0a.0.0.0/8',
  '10.1/16',
  '167772160/8',
  '256.0.0.0/8',
  '2001:db8::/129',
  '2001:db8::1::/64',
  'fe80::1%eth0/64',
  '::ffff:10.0.0.0/95',
])('allowed networks are rejected when they are ambiguous or invalid: "%s"', (text) => {
  const { cidrs, errors } = normalizeCidrs(['192.0.2.0/24', text], '/allowed_cidrs');
  expect(cidrs).toEqual(['192.0.2.0/24']);
  expect(errors).toMatchObject([{ pointer: '/allowed_cidrs/1', code: 'invalid' }]);
});

it('allowed networks contain no duplicates', () => {
  const { cidrs } = normalizeCidrs(['10.0.0.0/8', '10.9.9.9/8', '::ffff:10.0.0.0/104'], '/allowed_cidrs');
  expect(cidrs).toEqual(['10.0.0.0/8']);
});

import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { expect, it } from 'vitest';
import { dayIn } from '../zoned-time.ts';
import { endOfDay, explainCidrs, readCidrs } from './restrictions.ts';

it.each([
  ['2026-11-21', 'UTC', '2026-11-21T23:59:59.999Z'],
  ['2026-11-21', 'Asia/Kolkata', '2026-11-21T18:29:59.999Z'],
  ['2026-11-21', 'America/Los_Angeles', '2026-11-22T07:59:59.999Z'],
  // The days on which Berlin's clocks go forward and back.
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
  ['2026-12-31', 'UTC', '2026-12-31T23:59:59.999Z'],
])('the expiry of a key is the end of %s in %s', (day, timeZone, at) => {
  expect(endOfDay(day, timeZone)).toBe(at);
});

it.each(['2026-02-30', '21.11.2026', 'soon', '', '2026-13-01'])(
  'the expiry of a key is null for "%s"',
  (day) => {
    expect(endOfDay(day, 'UTC')).toBeNull();
  },
);

it('the expiry of a key is today in the given time zone at the earliest', () => {
  const now = Date.parse('2026-11-21T23:30:00Z');
  expect(dayIn('UTC', now)).toBe('2026-11-21');
  expect(dayIn('Asia/Tokyo', now)).toBe('2026-11-22');
});

it.each([
  ['10.0.0.0/8\r\n2001:db8::/32\r\n', ['10.0.0.0/8', '2001:db8::/32']],
  ['10.0.0.0/8, 192.0.2.7;198.51.100.0/24', ['10.0.0.0/8', '192.0.2.7', '198.51.100.0/24']],
  [' \n\n ', []],
])('`readCidrs` reads the networks in %j', (text, cidrs) => {
  expect(readCidrs(text)).toEqual(cidrs);
});

const rejection = (...pointers: string[]) =>
  new AdminProblem({
    status: 400,
    code: 'invalid-request',
    detail: 'The key cannot be created.',
    errors: pointers.map((pointer) => ({ pointer, code: 'invalid', detail: 'This is wrong.' })),
  });
const typed = (cidrs: string) => ({ text: () => cidrs });

it('the networks field names the networks that were rejected', () => {
  const named = explainCidrs(
    rejection('/name', '/allowed_cidrs/1', '/allowed_cidrs/2'),
    typed('10.0.0.0/8\n10.0.0.0/99\noffice'),
  );
  expect(named.errors).toEqual([
    { pointer: '/name', code: 'invalid', detail: 'This is wrong.' },
    {
      pointer: '/allowed_cidrs',
      code: 'invalid',
      detail:
        '10.0.0.0/99, office are not valid networks. Use CIDR notation such as 203.0.113.0/24 or 2001:db8::/32.',
    },
  ]);
});

it('a rejection for another reason stays unchanged', () => {
  const problem = rejection('/expires_at', '/allowed_cidrs');
  expect(explainCidrs(problem, typed('10.0.0.0/8'))).toBe(problem);
  const whole = rejection();
  expect(explainCidrs(whole, typed(''))).toBe(whole);
});

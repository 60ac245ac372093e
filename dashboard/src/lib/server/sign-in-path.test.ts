import { expect, it } from 'vitest';
import { safeNextPath, signInPath } from './sign-in-path.ts';

it.each(['/live/payments', '/live/payments?status=failed&cursor=a%2Fb', '/sandbox'])(
  'the destination after sign-in is %s as requested',
  (next) => {
    expect(safeNextPath(next)).toBe(next);
  },
);

it.each([
  null,
  undefined,
  '',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  '/\n/evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  'evil.example',
  '/x/..//evil.example/',
  '/.//evil.example/',
])('the destination after sign-in is the home page for %j, never another site', (next) => {
  const path = safeNextPath(next);
  expect(new URL(path, 'http://localhost:3000').origin).toBe('http://localhost:3000');
  expect(path).toBe('/');
});

it('the destination after sign-in is the requested page without the name of a form action', () => {
  const asked = new URL('http://localhost:3000/live/payments?/simulate&status=failed');
  const signIn = new URL(signInPath(asked), asked);
  expect(signIn.pathname).toBe('/sign-in');
  expect(signIn.searchParams.get('next')).toBe('/live/payments?status=failed');
  expect(signInPath(new URL('http://localhost:3000/'))).toBe('/sign-in');
});

import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { expect, it } from 'vitest';
import { explainCidrs } from './restrictions.ts';

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

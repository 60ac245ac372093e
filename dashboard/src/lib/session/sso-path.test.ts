import { expect, it } from 'vitest';
import { isConfirmationPath, ssoPath } from './sso-path.ts';

it.each([true, false])(
  'the path of single sign-on says whether it is a confirmation: %s',
  (isConfirmation) => {
    const path = ssoPath({ next: '/team?role=owner&page=2', isConfirmation });
    const url = new URL(path, 'https://dashboard.example');
    expect(url.searchParams.get('next')).toBe('/team?role=owner&page=2');
    expect(isConfirmationPath(url)).toBe(isConfirmation);
  },
);

it('the path of a sign-in that leads to the home page names no page', () => {
  expect(ssoPath({ next: '/', isConfirmation: false })).toBe('/sso');
});

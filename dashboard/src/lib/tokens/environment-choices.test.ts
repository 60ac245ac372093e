import { expect, it } from 'vitest';
import { environmentsLabel } from './environment-choices.ts';

it('a token without a list, and one that lists both, works in both environments', () => {
  expect(environmentsLabel(null)).toBe('Live and sandbox');
  expect(environmentsLabel(['sandbox', 'live'])).toBe('Live and sandbox');
  expect(environmentsLabel(['sandbox'])).toBe('Sandbox only');
  expect(environmentsLabel(['live'])).toBe('Live only');
});

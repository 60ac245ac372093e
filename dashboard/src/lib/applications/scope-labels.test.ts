import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { expect, it } from 'vitest';
import { scopesLabel } from './scope-labels.ts';

it.each([
  [SCOPE_NAMES, 'Create, read, and cancel payments'],
  [['payment:cancel', 'payment:read'] as const, 'Read and cancel payments'],
  [['payment:create'] as const, 'Create payments'],
  [[], 'No scopes'],
])('a label describes the scopes %j as "%s"', (scopes, words) => {
  expect(scopesLabel(scopes)).toBe(words);
});

import { DEFAULT_LIMITS } from '@tollgate/contracts/applications/rate-limit';
import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { newApplication, withLimits, withScopes, withStatus } from './application.ts';

const made = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
const application = newApplication(
  { teamId: newId('team'), name: 'Shop', scopes: ['payment:read', 'payment:create'] },
  made,
);

it('an application starts active, at version 1, with the default limits', () => {
  expect(application).toMatchObject({
    status: 'active',
    version: 1,
    limits: DEFAULT_LIMITS,
    createdAt: made,
    updatedAt: made,
  });
});

it('an application raises its version by one with every change', () => {
  const limits = { ...DEFAULT_LIMITS, live: { requests_per_second: 7, burst: 9 } };
  for (const changed of [
    withScopes(application, ['payment:read'], later),
    withLimits(application, limits, later),
    withStatus(application, 'archived', later),
  ]) {
    expect(changed).toMatchObject({ version: 2, createdAt: made, updatedAt: later });
  }
});

it('an application is unchanged by a change to its current values, in any order of the scopes', () => {
  expect(withScopes(application, ['payment:create', 'payment:read'], later)).toBe(application);
  expect(withScopes(application, ['payment:read', 'payment:create'], later)).toBe(application);
  expect(withLimits(application, structuredClone(DEFAULT_LIMITS), later)).toBe(application);
  expect(withStatus(application, 'active', later)).toBe(application);
});

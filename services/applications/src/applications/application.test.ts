import { DEFAULT_LIMITS } from '@tollgate/contracts/applications/rate-limit';
import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import { edited, newApplication } from './application.ts';

const made = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
const application = newApplication(
  { team_id: newId('team'), name: 'Shop', scopes: ['payment:read', 'payment:create'] },
  made,
);

it('an application starts active, at version 1, with the default limits', () => {
  expect(application).toMatchObject({
    status: 'active',
    version: 1,
    limits: DEFAULT_LIMITS,
    created_at: made,
    updated_at: made,
  });
});

it('an application raises its version by one with every change', () => {
  const limits = { ...DEFAULT_LIMITS, live: { requests_per_second: 7, burst: 9 } };
  for (const changed of [
    edited(application, { scopes: ['payment:read'] }, later),
    edited(application, { limits }, later),
    edited(application, { status: 'archived' }, later),
  ]) {
    expect(changed).toMatchObject({ version: 2, created_at: made, updated_at: later });
  }
});

it('an application is unchanged by a change to its current values, in any order of the scopes', () => {
  expect(edited(application, { scopes: ['payment:create', 'payment:read'] }, later)).toBe(application);
  expect(edited(application, { scopes: ['payment:read', 'payment:create'] }, later)).toBe(application);
  expect(edited(application, { limits: structuredClone(DEFAULT_LIMITS) }, later)).toBe(application);
  expect(edited(application, { status: 'active' }, later)).toBe(application);
});

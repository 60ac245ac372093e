import { describe, expect, it } from 'vitest';
import { applicationPermissions, mayCreateApplications } from './permissions.ts';

const none = { rename: false, changeAccess: false, changeLimits: false, changeKeys: false };
const live = { environment: 'live', hasLiveKeys: true } as const;

describe('the permissions on an application', () => {
  it('allow a viewer nothing', () => {
    expect(applicationPermissions('viewer', { environment: 'sandbox', hasLiveKeys: false })).toEqual(none);
    expect(mayCreateApplications('viewer')).toBe(false);
  });

  it('allow a developer everything that does not affect live mode', () => {
    expect(applicationPermissions('developer', { environment: 'sandbox', hasLiveKeys: false })).toEqual({
      rename: true,
      changeAccess: true,
      changeLimits: false,
      changeKeys: true,
    });
    expect(applicationPermissions('developer', live)).toEqual({ ...none, rename: true });
    expect(applicationPermissions('developer', { environment: 'sandbox', hasLiveKeys: true })).toMatchObject({
      changeAccess: false,
      changeKeys: true,
    });
    expect(mayCreateApplications('developer')).toBe(true);
  });

  it('allow an admin everything', () => {
    expect(Object.values(applicationPermissions('admin', live))).toEqual([true, true, true, true]);
  });
});

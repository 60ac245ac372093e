import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { expect, it } from 'vitest';
import { allows } from '#lib/server/access.ts';
import { applicationPermissions } from './permissions.ts';

const none = {
  rename: false,
  changeLabels: false,
  changeAccess: false,
  changeLimits: false,
  changeKeyRequirement: { live: false, sandbox: false },
  changeKeys: false,
};
/** What a developer may change whatever keys the application has. */
const harmless = { rename: true, changeLabels: true, changeKeyRequirement: { live: false, sandbox: true } };
const live = { environment: 'live', hasLiveKeys: true } as const;

it('the permissions on an application allow a viewer nothing', () => {
  expect(applicationPermissions('viewer', { environment: 'sandbox', hasLiveKeys: false })).toEqual(none);
  expect(allows(ADMIN_ROUTES.createApplication, 'viewer')).toBe(false);
});

it('the permissions on an application allow a developer everything that does not affect live mode', () => {
  expect(applicationPermissions('developer', { environment: 'sandbox', hasLiveKeys: false })).toEqual({
    ...none,
    ...harmless,
    changeAccess: true,
    changeKeys: true,
  });
  expect(applicationPermissions('developer', live)).toEqual({ ...none, ...harmless });
  expect(applicationPermissions('developer', { environment: 'sandbox', hasLiveKeys: true })).toMatchObject({
    changeAccess: false,
    changeKeys: true,
  });
  expect(allows(ADMIN_ROUTES.createApplication, 'developer')).toBe(true);
});

it('the permissions on an application allow an admin everything', () => {
  const { changeKeyRequirement, ...others } = applicationPermissions('admin', live);
  expect(changeKeyRequirement).toEqual({ live: true, sandbox: true });
  expect(new Set(Object.values(others))).toEqual(new Set([true]));
});

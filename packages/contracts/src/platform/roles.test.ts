import { expect, it } from 'vitest';
import type { AdminRoute } from '../admin-api/route.ts';
import { roleAllows } from '../admin-api/route.ts';
import { ADMIN_ROUTES } from '../admin-api/routes.ts';
import { ENVIRONMENTS } from './environment.ts';
import { mayRead, ROLES, type Role, roleAtLeast } from './roles.ts';

const ROUTES = Object.entries<AdminRoute>(ADMIN_ROUTES).filter(
  ([, { access }]) => access !== 'public' && access !== 'installation-admin',
);
const allows = ({ access }: AdminRoute, role: Role) =>
  ENVIRONMENTS.some((environment) => roleAllows(access, role, environment));

/** Every member changes their own account, logs in to the command line, and verifies the audit log. */
const OF_EVERY_MEMBER = [
  'approveDeviceAuthorization',
  'changeEmail',
  'changePassword',
  'confirmTotp',
  'createPasskey',
  'createReauthenticationChallenge',
  'deletePasskey',
  'denyDeviceAuthorization',
  'disableTotp',
  'reauthenticate',
  'renamePasskey',
  'replaceRecoveryCodes',
  'revokeAllSessions',
  'revokeSession',
  'revokeToken',
  'signOut',
  'startPasskey',
  'startTotp',
  'startVerification',
  'updateProfile',
];

it('an auditor may use every route that reads', () => {
  const reads = ROUTES.filter(([, { method }]) => method === 'GET');
  expect(reads.filter(([, route]) => !allows(route, 'auditor')).map(([name]) => name)).toEqual([]);
});

it('an auditor and a viewer may use no route that changes something of the team', () => {
  const changes = ROUTES.filter(([, { method }]) => method !== 'GET');
  for (const role of ['auditor', 'viewer'] as const)
    expect(
      changes
        .filter(([, route]) => allows(route, role))
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(OF_EVERY_MEMBER);
});

it('a role of a later release is denied everything', () => {
  const later = 'later_role' as Role;
  expect(ROUTES.filter(([, route]) => allows(route, later))).toEqual([]);
  expect(mayRead(later, 'viewer')).toBe(false);
});

it('each role but the auditor includes the roles before it', () => {
  const ranked = ROLES.filter((role) => role !== 'auditor');
  for (const [rank, role] of ranked.entries())
    expect(ranked.filter((required) => roleAtLeast(role, required))).toEqual(ranked.slice(0, rank + 1));
});

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { APPLICATION_LIMITS } from '@tollgate/contracts/applications/application';
import { expect, it } from 'vitest';
import { limitsOf } from './field-limits.ts';

it('the limits of a form are those of the schema that validates its request', () => {
  const limits = limitsOf({ rename: ADMIN_ROUTES.renameApplication, revoke: ADMIN_ROUTES.revokeKey });
  expect(limits['rename']?.['name']).toEqual({ required: true, maxlength: APPLICATION_LIMITS.name });
  expect(limits['revoke']?.['reason']).toEqual({ maxlength: 255 });
});

it('the limits of a form include no fields that are not texts', () => {
  expect(limitsOf({ scopes: ADMIN_ROUTES.setScopes })['scopes']).not.toHaveProperty('scopes');
});

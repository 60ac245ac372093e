import type { ApiKey, Application } from '@tollgate/contracts/applications/application';
import { expect, it } from 'vitest';
import { changedKeyFields, keyFormErrors, keyFormValues } from './key-form.ts';

const application = { scopes: ['payment:create', 'payment:read'] } as Application;
const key = {
  name: 'Server',
  scopes: ['payment:read', 'payment:cancel'],
  expires_at: '2026-12-31T10:00:00.000Z',
  allowed_cidrs: ['10.0.0.0/8'],
} as ApiKey;
const zone = 'Europe/Berlin';
const shown = keyFormValues(key, application, zone);

it('the form of an API key shows the day of the expiry, and only scopes that the application has', () => {
  expect(shown).toEqual({
    name: 'Server',
    scopes: ['payment:read'],
    expiresOn: '2026-12-31',
    allowedCidrs: ['10.0.0.0/8'],
  });
  expect(keyFormValues({ ...key, scopes: null, expires_at: null }, application, zone)).toMatchObject({
    scopes: null,
    expiresOn: '',
  });
});

it('the form of an API key sends nothing that was not changed', () => {
  expect(changedKeyFields(shown, structuredClone(shown), zone)).toEqual({});
  expect(changedKeyFields(shown, { ...shown, name: 'Worker' }, zone)).toEqual({ name: 'Worker' });
});

it('the form of an API key sends what was changed or removed', () => {
  expect(
    changedKeyFields(shown, { ...shown, scopes: null, expiresOn: '', allowedCidrs: ['192.0.2.0/24'] }, zone),
  ).toEqual({ scopes: null, expires_at: null, allowed_cidrs: ['192.0.2.0/24'] });
  expect(changedKeyFields(shown, { ...shown, expiresOn: '2027-01-31' }, zone)).toEqual({
    expires_at: '2027-01-31T22:59:59.999Z',
  });
});

it('the form of an API key has an error for each field that must be corrected', () => {
  const typed = { name: '', scopes: [], expiresOn: 'soon', allowedCidrs: [] };
  expect(Object.keys(keyFormErrors(typed, zone))).toEqual(['name', 'scopes', 'expires_on']);
  expect(keyFormErrors(shown, zone)).toEqual({});
});

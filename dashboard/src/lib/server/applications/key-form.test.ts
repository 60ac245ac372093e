import type { ApiKey, Application } from '@tollgate/contracts/applications/application';
import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { changedKeyFields, keyFormValues, readKeyForm } from './key-form.ts';

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

async function read(fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const form = await readForm(new Request('http://localhost', { method: 'POST', body }));
  return { values: readKeyForm(form, zone), errors: form.errors };
}

it('the form of an API key has an error for each field that must be corrected', async () => {
  const wrong = await read({ name: '', scopes_choice: 'some', expires_on: 'soon', allowed_cidrs: '' });
  expect(Object.keys(wrong.errors)).toEqual(['name', 'scopes', 'expires_on']);
  const { name, expiresOn: expires_on } = shown;
  const right = {
    name,
    expires_on,
    scopes_choice: 'some',
    scopes: 'payment:read',
    allowed_cidrs: '10.0.0.0/8',
  };
  expect(await read(right)).toEqual({ values: shown, errors: {} });
});

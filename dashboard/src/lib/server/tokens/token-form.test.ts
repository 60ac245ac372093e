import { expect, it } from 'vitest';
import { readForm } from '#lib/server/form.ts';
import { readTokenForm } from './token-form.ts';

async function read(fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const form = await readForm(new Request('http://localhost', { method: 'POST', body }));
  return { fields: readTokenForm(form, 'Europe/Berlin'), errors: form.errors };
}

it('the form of an API token sends only the limits that were entered', async () => {
  const { fields } = await read({ name: 'CI', role: 'developer', environments: 'both', expires_on: '' });
  expect(fields).toEqual({ name: 'CI', role: 'developer', allowed_cidrs: [] });
});

it('the form of an API token sends one environment, each network, and the end of the last day', async () => {
  const { fields } = await read({
    name: 'CI',
    role: 'admin',
    environments: 'sandbox',
    expires_on: '2027-01-31',
    allowed_cidrs: '203.0.113.0/24\n192.0.2.7',
  });
  expect(fields).toEqual({
    name: 'CI',
    role: 'admin',
    environments: ['sandbox'],
    expires_at: '2027-01-31T22:59:59.999Z',
    allowed_cidrs: ['203.0.113.0/24', '192.0.2.7'],
  });
});

it('the form of an API token has an error for each field that must be corrected', async () => {
  const { errors } = await read({ name: ' ', role: 'owner', environments: 'all', expires_on: 'soon' });
  expect(Object.keys(errors)).toEqual(['name', 'role', 'environments', 'expires_on']);
});

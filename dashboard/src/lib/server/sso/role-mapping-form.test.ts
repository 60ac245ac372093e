import { expect, it } from 'vitest';
import { readForm } from '../form.ts';
import { readRoleMapping } from './role-mapping-form.ts';

async function read(fields: Record<string, string>) {
  const request = new Request('http://localhost', { method: 'POST', body: new URLSearchParams(fields) });
  const form = await readForm(request);
  return { mapping: readRoleMapping(form), errors: form.errors };
}

it('the form for roles of single sign-on reads the rules, and skips rows without a value', async () => {
  const fields = {
    role_claim: ' groups ',
    value_0: 'ops',
    role_0: 'admin',
    value_1: ' ',
    role_1: 'viewer',
  };
  expect(await read({ ...fields, default_role: 'viewer' })).toEqual({
    errors: {},
    mapping: {
      role_claim: 'groups',
      role_rules: [{ value: 'ops', role: 'admin' }],
      default_role: 'viewer',
    },
  });
});

it('the form for roles of single sign-on reads an empty form as no mapping, with new members denied', async () => {
  expect(await read({ role_claim: '', value_0: '', role_0: 'viewer', default_role: '' })).toEqual({
    mapping: { role_claim: null, role_rules: [], default_role: null },
    errors: {},
  });
});

it('the form for roles of single sign-on names values without a claim, repeated values, and unknown roles', async () => {
  const rows = {
    value_0: 'ops',
    role_0: 'admin',
    value_1: 'ops',
    role_1: 'viewer',
    value_2: 'x',
    role_2: 'root',
  };
  expect(await read({ role_claim: '', ...rows })).toMatchObject({
    errors: {
      role_claim: 'Enter the claim that contains these values.',
      value_1: 'This value is already in the list.',
      role_2: 'Choose a role.',
    },
  });
});

import type { SingleSignOn } from '@tollgate/contracts/accounts/single-sign-on';
import { ROLES } from '@tollgate/contracts/platform/roles';
import { numberedRows } from '#lib/forms/numbered-rows.ts';
import type { Form } from '../form.ts';

type RoleMapping = Pick<SingleSignOn, 'role_claim' | 'role_rules' | 'default_role'>;

/** The role mapping that an owner entered. A row without a value has no rule. */
export function readRoleMapping(form: Form): RoleMapping {
  const rules: RoleMapping['role_rules'] = [];
  for (const [index, row] of numberedRows(form.values, ['value', 'role']).entries()) {
    const role = ROLES.find((candidate) => candidate === row.role);
    if (row.value === '') continue;
    if (!role) form.reject(`role_${index}`, 'Choose a role.');
    else if (rules.some(({ value }) => value === row.value))
      form.reject(`value_${index}`, 'This value is already in the list.');
    else rules.push({ value: row.value, role });
  }
  const claim = form.text('role_claim');
  if (claim === '' && rules.length > 0)
    form.reject('role_claim', 'Enter the claim that contains these values.');
  const defaultRole = ROLES.find((candidate) => candidate === form.text('default_role')) ?? null;
  return { role_claim: claim || null, role_rules: rules, default_role: defaultRole };
}

import type { SingleSignOn } from '@tollgate/contracts/accounts/single-sign-on';

/** A rule as it is typed. */
interface RoleRow {
  value: string;
  role: string;
}

/** The names of the fields of a row. */
export function roleFields(index: number): RoleRow {
  return { value: `value_${index}`, role: `role_${index}` };
}

/** The rows of a submitted form. */
export function roleRows(values: Record<string, string>): RoleRow[] {
  const rows: RoleRow[] = [];
  for (let index = 0; roleFields(index).value in values; index += 1) {
    const { value, role } = roleFields(index);
    rows.push({ value: (values[value] ?? '').trim(), role: values[role] ?? '' });
  }
  return rows;
}

/** The rows of the current rules, and an empty one for another. */
export function rowsOfRules(rules: SingleSignOn['role_rules']): RoleRow[] {
  return [...rules, { value: '', role: 'viewer' }];
}

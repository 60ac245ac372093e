import { AUDIT_ACTIONS } from '@tollgate/contracts/audit/audit';
import { expect, it } from 'vitest';
import { actionGroups } from './action-groups.ts';

it('every action is in exactly one group', () => {
  const offered = actionGroups().flatMap(({ options }) => options.map(({ value }) => value));
  expect(offered.toSorted()).toEqual(Object.keys(AUDIT_ACTIONS).toSorted());
});

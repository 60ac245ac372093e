import { readFileSync } from 'node:fs';
import { AUDIT_ACTIONS } from '@tollgate/contracts/audit/audit';
import { expect, it } from 'vitest';

const GUIDE = readFileSync(new URL('../../docs/guides/audit-log.md', import.meta.url), 'utf8');

it('the audit log guide lists every action', () => {
  const [, table = ''] = GUIDE.split('| action of | actions |\n');
  const listed = [...table.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].flatMap(([, target, actions = '']) =>
    [...actions.matchAll(/`(\w+)`/g)].map(([, action]) => `${target}.${action}`),
  );
  expect(listed).toEqual(Object.keys(AUDIT_ACTIONS));
});

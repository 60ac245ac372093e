import { readFileSync } from 'node:fs';
import { AUDIT_ACTIONS } from '@tollgate/contracts/audit';
import { describe, expect, it } from 'vitest';

const GUIDE = readFileSync(new URL('../../docs/guides/audit-log.md', import.meta.url), 'utf8');

describe('the audit log guide', () => {
  it('lists every action with its meaning', () => {
    const listed = [...GUIDE.matchAll(/^\| `(\w+\.\w+)` \| (.+) \|$/gm)].map(([, action, text]) => [
      action,
      text,
    ]);
    expect(Object.fromEntries(listed)).toEqual(AUDIT_ACTIONS);
  });
});

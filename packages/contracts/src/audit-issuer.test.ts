import { expect, it } from 'vitest';
import { AUDIT_ACTIONS } from './audit.ts';
import { issuerOfAction } from './audit-issuer.ts';

it('names one issuer for every action of this release', () => {
  for (const action of Object.keys(AUDIT_ACTIONS)) expect(issuerOfAction(action), action).not.toBeNull();
});

it('knows the issuer of an action of a later release by its subject', () => {
  expect(issuerOfAction('key.exported_by_a_later_release')).toBe('applications');
  expect(issuerOfAction('later_subject.created')).toBeNull();
  expect(issuerOfAction('constructor.created')).toBeNull();
  expect(issuerOfAction('key')).toBeNull();
});

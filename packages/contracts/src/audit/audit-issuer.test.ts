import { expect, it } from 'vitest';
import { ISSUERS } from '../platform/signature.ts';
import { AUDIT_ACTIONS } from './audit.ts';
import { mayWriteAction } from './audit-issuer.ts';

const issuersOf = (action: string) => ISSUERS.filter((issuer) => mayWriteAction(issuer, action));

it('the table of issuers allows at most one service to write an action', () => {
  for (const action of Object.keys(AUDIT_ACTIONS))
    expect(issuersOf(action).length, action).toBeLessThanOrEqual(1);
});

it('the table of issuers allows nobody to write the entries that the audit service writes itself', () => {
  for (const action of ['payments.exported', 'audit_records.exported', 'usage.exported', 'log.restored']) {
    expect(issuersOf(action)).toEqual([]);
  }
});

it('the table of issuers knows the issuer of an action of a later release by its subject', () => {
  expect(issuersOf('key.exported_by_a_later_release')).toEqual(['applications']);
});

it('the table of issuers allows every issuer to write about a subject that only a later release knows', () => {
  for (const action of ['later_subject.created', 'constructor.created', 'key']) {
    expect(issuersOf(action)).toEqual([...ISSUERS]);
  }
});

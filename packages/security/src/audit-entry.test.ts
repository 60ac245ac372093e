import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Issuer } from '@tollgate/contracts/platform/signature';
import { expect, it } from 'vitest';
import { createIssuerKeys } from '../test/issuer-keys.ts';
import { auditEntryDigest, mayWriteAuditEntry, signAuditEntry } from './audit-entry.ts';
import { createMessageVerifier } from './message-verifier.ts';
import { parseSignerPublicKeys } from './signing-keys.ts';

const keys = createIssuerKeys();
const counted: string[] = [];
const verify = createMessageVerifier('audit_entry', {
  findPublicKey: parseSignerPublicKeys(keys.publicKeys),
  countUnverified: (kind, reason) => counted.push(`${kind}: ${reason}`),
  mayWrite: mayWriteAuditEntry,
});

const entry: AuditEntry = {
  id: newId('audit'),
  occurred_at: '2026-01-01T00:00:00.000Z',
  team_id: newId('team'),
  environment: null,
  actor: { type: 'system', id: null, name: null, session_id: null },
  action: 'key.revoked',
  target: { type: 'key', id: newId('apiKey'), name: 'Server \ud800' },
  application_id: null,
  changes: {},
  context: { ip: null, user_agent: null, request_id: null },
};
const signed = (issuer: Issuer, action: string) =>
  signAuditEntry(keys.signers[issuer], { ...entry, action: action as AuditEntry['action'] });

it('a signed audit entry is valid from the service that audits the action, also with a name that is not valid Unicode', () => {
  expect(verify(JSON.parse(JSON.stringify(signed('applications', 'key.revoked'))))).toBeNull();
});

it.each<[Issuer, string]>([
  ['webhooks', 'key.revoked'],
  ['gateway', 'member.joined'],
  ['accounts', 'payments.exported'],
])('a signed audit entry by %s fails verification for %s', (issuer, action) => {
  expect(verify(signed(issuer, action))).toContain('an issuer that may not sign it');
  expect(counted.at(-1)).toBe('audit_entry: wrong-issuer');
});

it('a signed audit entry is valid from any issuer when only a later release knows the subject', () => {
  expect(verify(signed('webhooks', 'later_subject.created'))).toBeNull();
});

it('a signed audit entry has the digest of the unsigned entry, which changes with every field', () => {
  expect(auditEntryDigest(signed('applications', 'key.revoked'))).toBe(auditEntryDigest(entry));
  expect(auditEntryDigest({ ...entry, team_id: newId('team') })).not.toBe(auditEntryDigest(entry));
});

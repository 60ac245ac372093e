import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import { expect, it } from 'vitest';
import { recordRow, recordView } from './record-view.ts';

const MEMBER = 'mem_01kf0fj3s0ec7s9q7v0h5x2m4q';
const TOKEN = 'tok_01kf0fj3s0ec7s9q7v0h5x2m4q';
const KEY = 'key_01kf0fj3s0ec7s9q7v0h5x2m4q';
const APPLICATION = 'app_01kf0fj3s0ec7s9q7v0h5x2m4q';
const PAYMENT = 'pay_01kf0fj3s0ec7s9q7v0h5x2m4q';

const context = {
  environment: 'sandbox' as const,
  memberIds: new Set([MEMBER]),
  mayOpenTokens: true,
  applicationNames: new Map([[APPLICATION, 'Shop']]),
  actorNames: new Map<string, string>(),
};

function record(over: Partial<AuditRecord>): AuditRecord {
  return {
    id: 'aud_01kf0fj3s0ec7s9q7v0h5x2m4q',
    seq: 7,
    occurred_at: '2026-11-21T14:05:00.000Z',
    recorded_at: '2026-11-21T14:05:00.100Z',
    team_id: 'team_01kf0fj3s0ec7s9q7v0h5x2m4q',
    environment: null,
    actor: { type: 'member', id: MEMBER, name: 'Grace', session_id: null },
    action: 'application.renamed',
    target: { type: 'application', id: APPLICATION, name: 'Shop' },
    application_id: APPLICATION,
    changes: {},
    context: { ip: '192.0.2.7', user_agent: null, request_id: null },
    ...over,
  };
}

it('a record in the table shows actor, action and target, with links to both', () => {
  expect(recordRow(record({}), context)).toMatchObject({
    words: 'Application renamed',
    actor: { kind: 'Member', name: 'Grace', href: `/team/members/${MEMBER}` },
    target: { kind: 'Application', name: 'Shop', href: `/sandbox/applications/${APPLICATION}` },
    application: { id: APPLICATION, name: 'Shop' },
    ip: '192.0.2.7',
  });
});

it("a record in the table by a key links to the key and the payment in the record's environment", () => {
  const row = recordRow(
    record({
      action: 'payment.created',
      environment: 'live',
      actor: { type: 'key', id: KEY, name: null, session_id: null },
      target: { type: 'payment', id: PAYMENT, name: null },
    }),
    context,
  );
  expect(row.actor).toEqual({
    kind: 'API key',
    name: 'key_…5x2m4q',
    isId: true,
    href: `/live/applications/${APPLICATION}/keys/${KEY}`,
  });
  expect(row.target).toMatchObject({ name: 'pay_…5x2m4q', isId: true, href: `/live/payments/${PAYMENT}` });
});

it('a record in the table by or about an API token links to the token, for members who may open its page', () => {
  const byToken = record({ actor: { type: 'token', id: TOKEN, name: 'Terraform', session_id: null } });
  const aboutToken = record({
    action: 'token.revoked',
    target: { type: 'token', id: TOKEN, name: 'Terraform' },
  });
  const named = { kind: 'API token', name: 'Terraform', isId: false };
  const href = `/team/tokens/${TOKEN}`;
  expect(recordRow(byToken, context).actor).toEqual({ ...named, href });
  expect(recordRow(aboutToken, context).target).toEqual({ ...named, href });
  const toViewer = { ...context, mayOpenTokens: false };
  expect(recordRow(byToken, toViewer).actor).toEqual({ ...named, href: null });
  expect(recordRow(aboutToken, toViewer).target).toEqual({ ...named, href: null });
});

it('a record in the table shows the current name of an actor whose name is not in the record', () => {
  const byKey = record({ actor: { type: 'key', id: KEY, name: null, session_id: null } });
  const named = { ...context, actorNames: new Map([[KEY, 'Backend']]) };
  expect(recordRow(byKey, named).actor).toMatchObject({ name: 'Backend', isId: false });
});

it('a record in the table of an export shows what was exported', () => {
  const exported = record({
    action: 'audit_records.exported',
    target: { type: 'audit_records', id: 'team_1', name: null },
  });
  expect(recordRow(exported, context).target).toMatchObject({ kind: 'Export', name: 'Audit records' });
});

it('a record in the table links to neither former members nor deleted resources', () => {
  const gone = { ...context, memberIds: new Set<string>() };
  expect(recordRow(record({}), gone).actor.href).toBeNull();
  const deleted = record({
    action: 'webhook_endpoint.deleted',
    environment: 'live',
    target: { type: 'webhook_endpoint', id: 'whe_1', name: 'https://example.com' },
  });
  expect(recordRow(deleted, context).target.href).toBeNull();
  const deletedApplication = record({ action: 'application.deleted' });
  expect(recordRow(deletedApplication, context).target.href).toBeNull();
});

it('a record in the table distinguishes the platform from an unauthenticated user', () => {
  const system = { type: 'system' as const, id: null, name: null, session_id: null };
  const unknown = record({ actor: system, action: 'member.sign_in_failed' });
  expect(recordRow(unknown, context).actor.name).toBe('Unknown user');
  const nobody = { ip: null, user_agent: null, request_id: null };
  expect(recordRow(record({ actor: system, context: nobody }), context).actor.name).toBe('Tollgate');
});

it('a record shows the browser by name', () => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const known = record({ context: { ip: null, user_agent: userAgent, request_id: null } });
  expect(recordView(known, context).device).toBe('Firefox on Linux');
  expect(recordView(record({}), context).device).toBeNull();
});

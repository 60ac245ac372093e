import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Role } from '@tollgate/contracts/platform/roles';
import { readKeys } from '#lib/server/applications/read-keys.ts';
import { byName, listMembers } from '#lib/server/members.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { listApplicationNames } from '#lib/server/payments/application-names.ts';
import { mayReadTokens } from '#lib/server/tokens/permissions.ts';
import { readTokenNames } from '#lib/server/tokens/token-names.ts';
import type { RecordContext } from './record-view.ts';

/** Loads the names of members and applications. When a service is unavailable, records show ids instead. */
export async function loadPeople(admin: AdminClient) {
  const [members, applications] = await Promise.all([
    pagePart('accounts', listMembers(admin)),
    pagePart('applications', listApplicationNames(admin)),
  ]);
  return {
    members: members.ok ? members.data.toSorted(byName).map(({ id, name }) => ({ id, name })) : [],
    applications: applications.ok ? applications.data : [],
  };
}

/**
 * Loads what rows of these records need in addition. Payments, and so its records, know keys, tokens, and members
 * by id only: their current names are looked up.
 */
export async function recordContext(
  admin: AdminClient,
  records: readonly AuditRecord[],
  { members, applications }: Awaited<ReturnType<typeof loadPeople>>,
  { environment, role }: { environment: Environment; role: Role },
): Promise<RecordContext> {
  const unnamed = (kind: 'key' | 'token') =>
    records.flatMap(({ actor: { type, id, name } }) =>
      type === kind && id !== null && name === null ? [id] : [],
    );
  const mayOpenTokens = mayReadTokens(role);
  const [keys, tokenNames] = await Promise.all([
    readKeys(admin, unnamed('key')),
    readTokenNames(admin, mayOpenTokens ? unnamed('token') : []),
  ]);
  return {
    environment,
    memberIds: new Set(members.map(({ id }) => id)),
    mayOpenTokens,
    actorNames: new Map([
      ...members.map(({ id, name }) => [id, name] as const),
      ...[...keys].map(([id, { name }]) => [id, name] as const),
      ...tokenNames,
    ]),
    applicationNames: new Map(applications.map(({ id, name }) => [id, name])),
  };
}

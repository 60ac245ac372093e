import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Role } from '@tollgate/contracts/platform/roles';
import { mayReadTokens } from '#lib/server/access.ts';
import { byName, listMembers } from '#lib/server/members.ts';
import { orNull } from '#lib/server/or-null.ts';
import { readApplications } from '#lib/server/payments/application-names.ts';
import { readKeys, readTokens } from '#lib/server/read-each.ts';

export type RecordContext = Awaited<ReturnType<typeof recordContext>>;

/** Loads the names of members and applications. When a service is unavailable, records show ids instead. */
export async function loadPeople(admin: AdminClient) {
  const [members, applications] = await Promise.all([orNull(listMembers(admin)), readApplications(admin)]);
  return { members: members?.toSorted(byName) ?? [], applications };
}

/**
 * Loads what rows of these records need in addition. Payments, and so its records, know keys, tokens, and members
 * by id only: their current names are looked up.
 */
export async function recordContext(
  admin: AdminClient,
  records: readonly AuditRecord[],
  { members, applications }: Awaited<ReturnType<typeof loadPeople>>,
  { environment, me }: { environment: Environment; me: { role: Role } },
) {
  const unnamed = (kind: 'key' | 'token') =>
    records.flatMap(({ actor: { type, id, name } }) =>
      type === kind && id !== null && name === null ? [id] : [],
    );
  const mayOpenTokens = mayReadTokens(me.role);
  const [keys, tokens] = await Promise.all([
    readKeys(admin, unnamed('key')),
    readTokens(admin, mayOpenTokens ? unnamed('token') : []),
  ]);
  return {
    /** The current environment, for pages that exist in both. */
    environment,
    /** Ids of the current members of the team. */
    memberIds: new Set(members.map(({ id }) => id)),
    /** Whether this member may open the pages of API tokens. */
    mayOpenTokens,
    /** Names of members, keys, and API tokens, for records that lack them. */
    actorNames: new Map([...members, ...keys.values(), ...tokens.values()].map(({ id, name }) => [id, name])),
    applicationNames: new Map(applications.map(({ id, name }) => [id, name])),
  };
}

import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Role } from '@tollgate/contracts/platform/roles';
import { byName, listMembers } from '#lib/server/members.ts';
import { orNull } from '#lib/server/or-null.ts';
import { readApplications } from '#lib/server/payments/application-names.ts';
import { readEach } from '#lib/server/read-each.ts';
import { mayReadTokens } from '#lib/server/tokens/permissions.ts';
import type { RecordContext } from './record-view.ts';

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
): Promise<RecordContext> {
  const unnamed = (kind: 'key' | 'token') =>
    records.flatMap(({ actor: { type, id, name } }) =>
      type === kind && id !== null && name === null ? [id] : [],
    );
  const mayOpenTokens = mayReadTokens(me.role);
  const [keys, tokens] = await Promise.all([
    readEach(unnamed('key'), (key_id) => admin.call(ADMIN_ROUTES.getKey, { key_id })),
    readEach(mayOpenTokens ? unnamed('token') : [], (token_id) =>
      admin.call(ADMIN_ROUTES.getToken, { token_id }),
    ),
  ]);
  return {
    environment,
    memberIds: new Set(members.map(({ id }) => id)),
    mayOpenTokens,
    actorNames: new Map([...members, ...keys.values(), ...tokens.values()].map(({ id, name }) => [id, name])),
    applicationNames: new Map(applications.map(({ id, name }) => [id, name])),
  };
}

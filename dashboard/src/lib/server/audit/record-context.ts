import type { AuditRecord } from '@tollgate/contracts/audit';
import type { Environment } from '@tollgate/contracts/environment';
import type { AdminClient } from '#lib/server/admin-client.ts';
import { readKeys } from '#lib/server/applications/read-keys.ts';
import { byName, listMembers } from '#lib/server/members.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { listApplicationNames } from '#lib/server/payments/application-names.ts';
import type { RecordContext } from './record-view.ts';

/** Who and what records can be about by name. Names are a courtesy: without a service records are readable, with ids. */
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
 * What rows of these records need besides them. Payments knows keys and members by their ids alone, and so do its records: their names are looked
 * up as they are now.
 */
export async function recordContext(
  admin: AdminClient,
  records: readonly AuditRecord[],
  { members, applications }: Awaited<ReturnType<typeof loadPeople>>,
  environment: Environment,
): Promise<RecordContext> {
  const keyIds = records.flatMap(({ actor: { type, id, name } }) =>
    type === 'key' && id !== null && name === null ? [id] : [],
  );
  const keys = await readKeys(admin, new Set(keyIds));
  return {
    environment,
    memberIds: new Set(members.map(({ id }) => id)),
    actorNames: new Map([
      ...members.map(({ id, name }) => [id, name] as const),
      ...[...keys].map(([id, { name }]) => [id, name] as const),
    ]),
    applicationNames: new Map(applications.map(({ id, name }) => [id, name])),
  };
}

import type { Environment } from '@tollgate/contracts/environment';
import type { AdminClient } from '#lib/server/admin-client.ts';
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

export function recordContext(
  { members, applications }: Awaited<ReturnType<typeof loadPeople>>,
  environment: Environment,
): RecordContext {
  return {
    environment,
    memberIds: new Set(members.map(({ id }) => id)),
    applicationNames: new Map(applications.map(({ id, name }) => [id, name])),
  };
}

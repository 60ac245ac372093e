import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { orNull } from '../or-null.ts';

export interface ApplicationName {
  id: string;
  name: string;
  isArchived: boolean;
}

const PAGE_SIZE = 100;
/** A thousand applications: a longer list of options is of no use. */
const MAX_PAGES = 10;

/** Options of a filter. */
export function applicationChoices(names: readonly ApplicationName[]) {
  return names.map(({ id, name, isArchived }) => ({
    value: id,
    label: isArchived ? `${name} (archived)` : name,
  }));
}

/** The team's applications by name, archived ones last: as filter options, and to name a payment's application. */
export async function listApplicationNames(admin: AdminClient): Promise<ApplicationName[]> {
  const found: ApplicationName[] = [];
  const request = { limit: PAGE_SIZE };
  for await (const { data } of pagesOf(admin, ADMIN_ROUTES.listApplications, request, MAX_PAGES))
    found.push(...data.map(({ id, name, status }) => ({ id, name, isArchived: status === 'archived' })));
  return found.sort(
    (a, b) => Number(a.isArchived) - Number(b.isArchived) || a.name.localeCompare(b.name, 'en'),
  );
}

/** The same for a list that shows ids in place of names while they are unavailable. */
export async function readApplicationNames(admin: AdminClient): Promise<ApplicationName[]> {
  return (await orNull(listApplicationNames(admin))) ?? [];
}

export function namesById(names: readonly ApplicationName[]): Record<string, string> {
  return Object.fromEntries(names.map(({ id, name }) => [id, name]));
}

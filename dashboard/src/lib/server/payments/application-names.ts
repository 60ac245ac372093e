import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Application } from '@tollgate/contracts/applications/application';
import { orNull } from '../or-null.ts';

const PAGE_SIZE = 100;
/** A thousand applications: a longer list of options is of no use. */
const MAX_PAGES = 10;

/** Options of a filter. */
export function applicationChoices(applications: readonly Application[]) {
  return applications.map((application) => ({
    value: application.id,
    label: isArchived(application) ? `${application.name} (archived)` : application.name,
  }));
}

export function isArchived({ status }: Application): boolean {
  return status === 'archived';
}

/** The team's applications by name, archived ones last: as filter options, and to name a payment's application. */
export async function listApplications(admin: AdminClient): Promise<Application[]> {
  const request = { limit: PAGE_SIZE };
  const pages = await Array.fromAsync(pagesOf(admin, ADMIN_ROUTES.listApplications, request, MAX_PAGES));
  const byName = (a: Application, b: Application) => a.name.localeCompare(b.name, 'en');
  return pages
    .flatMap(({ data }) => data)
    .sort((a, b) => Number(isArchived(a)) - Number(isArchived(b)) || byName(a, b));
}

/** The same for a list that shows ids in place of names while they are unavailable. */
export async function readApplications(admin: AdminClient): Promise<Application[]> {
  return (await orNull(listApplications(admin))) ?? [];
}

export function namesById(applications: readonly Application[]): Record<string, string> {
  return Object.fromEntries(applications.map(({ id, name }) => [id, name]));
}

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AdminClient } from '#lib/server/admin-client.ts';

export interface ApplicationName {
  id: string;
  name: string;
  isArchived: boolean;
}

const PAGE_SIZE = 100;
/** A thousand applications: a longer list of options is of no use. */
const MAX_PAGES = 10;

/** Options of a filter. An application stays selected even if it is deleted or its name is unavailable. */
export function applicationChoices(names: ApplicationName[], selected: string) {
  const choices = names.map(({ id, name, isArchived }) => ({
    value: id,
    label: isArchived ? `${name} (archived)` : name,
  }));
  const isOffered = selected === '' || names.some(({ id }) => id === selected);
  return isOffered ? choices : [...choices, { value: selected, label: selected }];
}

/** The team's applications by name, archived ones last: as filter options, and to name a payment's application. */
export async function listApplicationNames(admin: AdminClient): Promise<ApplicationName[]> {
  const found: ApplicationName[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply: { data: { id: string; name: string; status: string }[]; next_cursor: string | null } =
      await admin.call(ADMIN_ROUTES.listApplications, {
        limit: PAGE_SIZE,
        ...(cursor !== null && { cursor }),
      });
    found.push(
      ...reply.data.map(({ id, name, status }) => ({ id, name, isArchived: status === 'archived' })),
    );
    cursor = reply.next_cursor;
    if (cursor === null) break;
  }
  return found.sort(
    (a, b) => Number(a.isArchived) - Number(b.isArchived) || a.name.localeCompare(b.name, 'en'),
  );
}

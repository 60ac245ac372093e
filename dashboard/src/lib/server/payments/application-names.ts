import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AdminClient } from '#lib/server/admin-client.ts';

export interface ApplicationName {
  id: string;
  name: string;
  isArchived: boolean;
}

const PAGE_SIZE = 100;
/** A thousand applications; a list to choose from is of no use beyond that. */
const MAX_PAGES = 10;

/** The applications of the team by name, archived ones last: for choices, and to say whose a payment is. */
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

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AdminClient } from '#lib/server/admin-client.ts';

export interface EventTypeChoice {
  type: string;
  description: string;
}

/** The event types that an endpoint can subscribe to, without their schemas. */
export async function listEventTypeChoices(admin: AdminClient): Promise<EventTypeChoice[]> {
  const { data } = await admin.call(ADMIN_ROUTES.listEventTypes, {});
  // Names of fields are marked as in Markdown; beside a check box they are words among others.
  return data.map(({ type, description }) => ({ type, description: description.replaceAll('`', '') }));
}

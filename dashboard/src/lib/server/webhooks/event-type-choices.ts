import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';

export type EventTypeChoice = Awaited<ReturnType<typeof listEventTypeChoices>>[number];

/** The event types that an endpoint can subscribe to, without their schemas. */
export async function listEventTypeChoices(admin: AdminClient) {
  const { data } = await admin.call(ADMIN_ROUTES.listEventTypes, {});
  // Descriptions mark field names as in Markdown, which a check box label does not render.
  return data.map(({ type, description }) => ({ type, description: description.replaceAll('`', '') }));
}

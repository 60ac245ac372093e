import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { TeamOwner } from './team-owner.ts';

/** Reads what the pages of a dashboard read. Throws if a gateway or a service cannot read the other version's data. */
export async function readEverything(owner: TeamOwner): Promise<void> {
  const environment = 'sandbox';
  await owner.call(ADMIN_ROUTES.getMe, {});
  await owner.call(ADMIN_ROUTES.listMembers, {});
  await owner.call(ADMIN_ROUTES.listRecords, {});
  await owner.call(ADMIN_ROUTES.summarizePayments, { environment });
  const applications = await owner.call(ADMIN_ROUTES.listApplications, {});
  for (const { id } of applications.data) await owner.call(ADMIN_ROUTES.listKeys, { application_id: id });
  const payments = await owner.call(ADMIN_ROUTES.listPayments, { environment });
  for (const { id } of payments.data.slice(0, 1)) {
    await owner.call(ADMIN_ROUTES.getPayment, { payment_id: id });
    await owner.call(ADMIN_ROUTES.getTimeline, { payment_id: id });
  }
  const endpoints = await owner.call(ADMIN_ROUTES.listEndpoints, {});
  for (const { id } of endpoints.data) await owner.call(ADMIN_ROUTES.getEndpointHealth, { endpoint_id: id });
  const events = await owner.call(ADMIN_ROUTES.listEvents, {});
  for (const { id } of events.data.slice(0, 1)) await owner.call(ADMIN_ROUTES.getEvent, { event_id: id });
}

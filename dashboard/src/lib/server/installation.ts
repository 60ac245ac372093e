import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';

/** Setup happens once per installation and is never undone, so a positive result is cached. */
let isKnownToBeSetUp = false;

/** Whether the first team and owner exist. Throws AdminProblem. */
export async function isSetUp(admin: AdminClient): Promise<boolean> {
  isKnownToBeSetUp ||= (await admin.call(ADMIN_ROUTES.getInstallation, {})).is_set_up;
  return isKnownToBeSetUp;
}

/** Whether a mail server is configured. Throws AdminProblem. */
export async function sendsMail(admin: AdminClient): Promise<boolean> {
  return (await admin.call(ADMIN_ROUTES.getInstallation, {})).sends_mail;
}

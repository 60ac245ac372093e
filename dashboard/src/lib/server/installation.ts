import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { AdminClient } from './admin-client.ts';

/** It happens once in the life of an installation, and is never undone: known, it needs no more asking. */
let isKnownToBeSetUp = false;

/** Whether there is a first team and owner yet. Throws AdminProblem. */
export async function isSetUp(admin: AdminClient): Promise<boolean> {
  isKnownToBeSetUp ||= (await admin.call(ADMIN_ROUTES.getInstallation, {})).is_set_up;
  return isKnownToBeSetUp;
}

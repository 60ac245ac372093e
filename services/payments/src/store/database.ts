import { DATABASES } from '@tollgate/contracts/platform/databases';

/** Only this service and its commands read and write this database. */
export const DATABASE = DATABASES.payments;

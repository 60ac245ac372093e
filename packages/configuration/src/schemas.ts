import { accountsSchema } from '@tollgate/accounts/schema';
import { applicationsSchema } from '@tollgate/applications/schema';
import { auditSchema } from '@tollgate/audit/schema';
import type { DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { paymentsSchema } from '@tollgate/payments/schema';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { usageSchema } from '@tollgate/usage/schema';
import { webhooksSchema } from '@tollgate/webhooks/schema';

/** What each service needs of its database. */
export const SCHEMAS: Readonly<Record<DatabaseOwner, DatabaseSchema>> = {
  accounts: accountsSchema,
  applications: applicationsSchema,
  payments: paymentsSchema,
  webhooks: webhooksSchema,
  usage: usageSchema,
  audit: auditSchema,
};

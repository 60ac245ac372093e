/** The MongoDB database of each service. Only the service and its commands read and write it. */
export const DATABASES = {
  accounts: 'tollgate_accounts',
  applications: 'tollgate_applications',
  payments: 'tollgate_payments',
  webhooks: 'tollgate_webhooks',
  usage: 'tollgate_usage',
  audit: 'tollgate_audit',
} as const;

/** A service with a database. Its MongoDB user has its name. */
export type DatabaseOwner = keyof typeof DATABASES;
export const DATABASE_OWNERS = Object.keys(DATABASES) as DatabaseOwner[];

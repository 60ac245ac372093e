import { accountsVariables, readAccountsConfig } from '@tollgate/accounts/config';
import { applicationsVariables, readApplicationsConfig } from '@tollgate/applications/config';
import { auditVariables, readAuditConfig } from '@tollgate/audit/config';
import { dashboardVariables, readDashboardConfig } from '@tollgate/dashboard-server/config';
import { gatewayVariables, readGatewayConfig } from '@tollgate/gateway/config';
import { paymentsVariables, readPaymentsConfig } from '@tollgate/payments/config';
import type { Environment, VariableTable } from '@tollgate/runtime/config';
import { readUsageConfig, usageVariables } from '@tollgate/usage/config';
import { readWebhooksConfig, webhooksVariables } from '@tollgate/webhooks/config';

/** What a process of the platform reads from its environment. */
export interface Role {
  variables: VariableTable;
  /** @throws ConfigError that names every wrong variable */
  read(env: Environment): unknown;
}

/** The processes that run in every deployment, by name. */
export const ROLES = {
  gateway: { variables: gatewayVariables, read: readGatewayConfig },
  payments: { variables: paymentsVariables, read: readPaymentsConfig },
  applications: { variables: applicationsVariables, read: readApplicationsConfig },
  accounts: { variables: accountsVariables, read: readAccountsConfig },
  webhooks: { variables: webhooksVariables, read: readWebhooksConfig },
  usage: { variables: usageVariables, read: readUsageConfig },
  audit: { variables: auditVariables, read: readAuditConfig },
  dashboard: { variables: dashboardVariables, read: readDashboardConfig },
} as const satisfies Record<string, Role>;

export type RoleName = keyof typeof ROLES;

import type { AuditEntry } from '@tollgate/contracts/audit/audit';

/** Addresses of pages of the dashboard, for links in notices. */
export interface DashboardLinks {
  invitation(token: string): string;
  resetLink(token: string): string;
  /** The member's own account. */
  account: string;
  /** The verification of the audit log. */
  verification: string;
  /** The processors in the environment of an audit entry. */
  processors(entry: AuditEntry): string;
  /** Pages of the target of an audit entry. */
  endpoint(entry: AuditEntry): string;
  key(entry: AuditEntry): string;
  token(entry: AuditEntry): string;
  payment(entry: AuditEntry): string;
}

/** @param dashboardUrl without a trailing slash */
export function createDashboardLinks(dashboardUrl: string): DashboardLinks {
  return {
    invitation: (token) => `${dashboardUrl}/join/${token}`,
    resetLink: (token) => `${dashboardUrl}/reset/${token}`,
    account: `${dashboardUrl}/account`,
    verification: `${dashboardUrl}/audit/verification`,
    processors: ({ environment }) => `${dashboardUrl}/${environment}/processors`,
    endpoint: ({ environment, target }) => `${dashboardUrl}/${environment}/webhooks/endpoints/${target.id}`,
    key: ({ environment, application_id, target }) =>
      `${dashboardUrl}/${environment}/applications/${application_id}/keys/${target.id}`,
    token: ({ target }) => `${dashboardUrl}/team/tokens/${target.id}`,
    payment: ({ environment, target }) => `${dashboardUrl}/${environment}/payments/${target.id}`,
  };
}

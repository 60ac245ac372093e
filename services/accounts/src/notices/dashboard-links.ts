import type { AuditEntry } from '@tollgate/contracts/audit';

/** Addresses of pages of the dashboard, for links in notices. */
export interface DashboardLinks {
  invitation(token: string): string;
  resetLink(token: string): string;
  /** The member's own account. */
  account: string;
  /** The verification of the audit log. */
  verification: string;
  processors(entry: AuditEntry): string;
  /** Lists in the environment of an audit entry. */
  endpoints(entry: AuditEntry): string;
  keys(entry: AuditEntry): string;
  tokens: string;
  /** The home page of live. */
  live: string;
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
    endpoints: ({ environment }) => `${dashboardUrl}/${environment}/webhooks`,
    keys: ({ environment }) => `${dashboardUrl}/${environment}/applications/keys`,
    tokens: `${dashboardUrl}/team/tokens`,
    live: `${dashboardUrl}/live`,
    processors: ({ environment }) => `${dashboardUrl}/${environment}/processors`,
    endpoint: ({ environment, target }) => `${dashboardUrl}/${environment}/webhooks/endpoints/${target.id}`,
    key: ({ environment, application_id, target }) =>
      `${dashboardUrl}/${environment}/applications/${application_id}/keys/${target.id}`,
    token: ({ target }) => `${dashboardUrl}/team/tokens/${target.id}`,
    payment: ({ environment, target }) => `${dashboardUrl}/${environment}/payments/${target.id}`,
  };
}

import type { ErrorCode } from '@tollgate/contracts/platform/errors';

/** The pages of the documentation that the dashboard links to, by topic. A test compares them with the documentation. */
export const DOCS_PAGES = {
  payments: { path: 'guides/payments', label: 'payments' },
  applications: { path: 'guides/authentication', label: 'applications, keys, and scopes' },
  keys: { path: 'guides/authentication#keys', label: 'API keys' },
  webhooks: { path: 'guides/receive-webhooks', label: 'webhooks' },
  verification: { path: 'guides/verify-webhooks', label: 'verifying webhooks' },
  processors: { path: 'guides/processors', label: 'processors' },
  reconciliation: { path: 'guides/processors#compare-with-the-processor', label: 'reconciliation' },
  usage: { path: 'guides/usage-and-requests', label: 'usage' },
  requests: { path: 'guides/usage-and-requests#the-request-log', label: 'the request log' },
  tokens: { path: 'guides/automate-with-api-tokens', label: 'API tokens' },
  singleSignOn: { path: 'guides/single-sign-on', label: 'single sign-on' },
  audit: { path: 'guides/audit-log', label: 'the audit log' },
} as const;

export type DocsTopic = keyof typeof DOCS_PAGES;

/** @param docsUrl base URL of the documentation, without a trailing slash */
export function docsPageUrl(docsUrl: string, topic: DocsTopic): string {
  return `${docsUrl}/${DOCS_PAGES[topic].path}`;
}

export function errorPageUrl(docsUrl: string, code: ErrorCode): string {
  return `${docsUrl}/errors/${code}`;
}

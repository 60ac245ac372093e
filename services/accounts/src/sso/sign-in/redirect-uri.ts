/**
 * Each team has its own, so that the response of one provider is never sent to another, even if a provider returns no `iss`
 * parameter (RFC 9700 §4.4.2.2).
 */
export function redirectUri(dashboardUrl: string, teamId: string): string {
  return `${dashboardUrl}/sso/callback/${teamId}`;
}

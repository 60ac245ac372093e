const CONFIRMATION = 'reauthenticate';

/** The page that starts a sign-in with single sign-on, which then leads to `next`. */
export function ssoPath({ next, isConfirmation }: { next: string; isConfirmation: boolean }): string {
  const query = new URLSearchParams();
  if (next !== '/') query.set('next', next);
  if (isConfirmation) query.set(CONFIRMATION, 'true');
  return query.size > 0 ? `/sso?${query}` : '/sso';
}

/** Whether a signed-in member confirms their identity with this page. */
export function isConfirmationPath(url: URL): boolean {
  return url.searchParams.has(CONFIRMATION);
}

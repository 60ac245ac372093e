import { YEAR_S } from '@tollgate/contracts/durations';

/** Headers of every response, static files included. Pages have their Content-Security-Policy from SvelteKit, with nonces. */
export function securityHeaders(dashboardUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Not `no-referrer`: with that, browsers send `Origin: null` on form posts, which the CSRF check rejects.
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(dashboardUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
}

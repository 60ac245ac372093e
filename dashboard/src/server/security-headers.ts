import { YEAR_S } from '@tollgate/contracts/platform/durations';

/**
 * Headers of every response, including static files. SvelteKit sets the Content-Security-Policy of pages, with nonces.
 */
export function securityHeaders(dashboardUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Not `no-referrer`: with it, browsers send `Origin: null` on form posts, and the CSRF check rejects those.
    'referrer-policy': 'same-origin',
    'permissions-policy':
      'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(dashboardUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
}

import type { Environment } from '@tollgate/contracts/platform/environment';

interface SubPage {
  label: string;
  href: string;
  /** Other words that find it. */
  keywords: string;
}

/** The pages below the sections that have an address without an id. */
export function subPages(environment: Environment): SubPage[] {
  const page = (label: string, href: string, keywords: string): SubPage => ({ label, href, keywords });
  return [
    page('API keys', `/${environment}/applications/keys`, 'credentials'),
    page('Deliveries', `/${environment}/webhooks/deliveries`, 'webhooks attempts'),
    page('Events', `/${environment}/webhooks/events`, 'webhooks'),
    page('Event types', `/${environment}/webhooks/event-types`, 'webhooks'),
    page('Verify a webhook signature', `/${environment}/webhooks/verify`, 'webhooks'),
    page('Notifications', '/team/notifications', 'team chat slack mattermost webhook email'),
    page('Policies', '/team/policies', 'team settlement approval data retention leaked keys second factor'),
    page('Sandbox reset', '/team/sandbox', 'team delete test data'),
    page('Single sign-on', '/team/single-sign-on', 'team sso openid oidc identity provider'),
    page('Audit log verification', '/audit/verification', 'integrity tree head'),
    page('Sessions', '/account/sessions', 'account devices sign out'),
    page('Password', '/account/password', 'account change'),
    page('Two-factor authentication', '/account/second-factor', 'account 2fa totp'),
    page('Add a passkey', '/account/passkeys/new', 'account webauthn security key'),
  ];
}

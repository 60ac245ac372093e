import type { Environment } from '@tollgate/contracts/platform/environment';

/** The pages below the sections that have an address without an id: label, path, and other words that find it. */
export function subPages(environment: Environment): [string, string, string][] {
  return [
    ['API keys', `/${environment}/applications/keys`, 'credentials'],
    ['Deliveries', `/${environment}/webhooks/deliveries`, 'webhooks attempts'],
    ['Events', `/${environment}/webhooks/events`, 'webhooks'],
    ['Event types', `/${environment}/webhooks/event-types`, 'webhooks'],
    ['Verify a webhook signature', `/${environment}/webhooks/verify`, 'webhooks'],
    ['Notifications', '/team/notifications', 'team chat slack mattermost webhook email'],
    ['Policies', '/team/policies', 'team settlement approval data retention leaked keys second factor'],
    ['Sandbox reset', '/team/sandbox', 'team delete test data'],
    ['Single sign-on', '/team/single-sign-on', 'team sso openid oidc identity provider'],
    ['Audit log verification', '/audit/verification', 'integrity tree head'],
    ['Sessions', '/account/sessions', 'account devices sign out'],
    ['Password', '/account/password', 'account change'],
    ['Two-factor authentication', '/account/second-factor', 'account 2fa totp'],
    ['Add a passkey', '/account/passkeys/new', 'account webauthn security key'],
  ];
}

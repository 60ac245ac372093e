import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInvitation, createResetLink } from '@tollgate/contracts/accounts/rpc';
import { listRequests } from '@tollgate/contracts/usage/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { COMPARED_DAY, COMPARED_PROCESSOR } from '../platform/stored-differences.ts';
import type { TestMember } from '../platform/test-team.ts';
import type { FullTeam } from './full-team.ts';

const ROUTES = join(import.meta.dirname, '../../../dashboard/src/routes');

/** Reachable only before the setup of an installation; audited in that journey. */
export const SETUP_PAGE = '(entry)/setup';

/** Every other page: its folder under the dashboard's routes, and its address in a full team. */
export const PAGES: Record<string, (team: FullTeam) => string | Promise<string>> = {
  '(entry)/sign-in': () => '/sign-in',
  '(entry)/sso': () => '/sso',
  '(entry)/sso/callback/[team_id]': ({ id }) => `/sso/callback/${id}?error=access_denied`,
  '(entry)/device': () => '/device?user_code=BCDF-GHJK',
  '(entry)/reauthenticate': () => '/reauthenticate?next=/sandbox',
  '(entry)/join/[token]': async ({ owner }) => {
    const { token } = await owner.call(createInvitation, { email: 'guest@example.com', role: 'viewer' });
    return `/join/${token}`;
  },
  '(entry)/reset': () => '/reset',
  '(entry)/reset/[token]': async ({ owner, developer }) => {
    const { token } = await owner.call(createResetLink, { member_id: developer.id });
    return `/reset/${token}`;
  },
  '(app)/[environment=environment]/(home)': () => '/sandbox',
  '(app)/[environment=environment]/applications': () => '/sandbox/applications',
  '(app)/[environment=environment]/applications/new': () => '/sandbox/applications/new',
  '(app)/[environment=environment]/applications/keys': () => '/sandbox/applications/keys',
  '(app)/[environment=environment]/applications/[application_id]': ({ application }) =>
    `/sandbox/applications/${application.id}`,
  '(app)/[environment=environment]/applications/[application_id]/keys/new': ({ application }) =>
    `/sandbox/applications/${application.id}/keys/new`,
  '(app)/[environment=environment]/applications/[application_id]/keys/[key_id]': ({
    application,
    rotatedKeyId,
  }) => `/sandbox/applications/${application.id}/keys/${rotatedKeyId}`,
  '(app)/[environment=environment]/applications/[application_id]/keys/[key_id]/edit': ({ application }) =>
    `/sandbox/applications/${application.id}/keys/${application.keyIds.sandbox}/edit`,
  '(app)/[environment=environment]/payments': () => '/sandbox/payments',
  '(app)/[environment=environment]/payments/bulk': ({ pendingPaymentId }) =>
    `/sandbox/payments/bulk?payment=${pendingPaymentId}`,
  '(app)/[environment=environment]/payments/[payment_id]': ({ pendingPaymentId }) =>
    `/sandbox/payments/${pendingPaymentId}`,
  '(app)/[environment=environment]/processors': () => '/sandbox/processors',
  '(app)/[environment=environment]/processors/[name]/reconciliation': () =>
    `/sandbox/processors/${COMPARED_PROCESSOR}/reconciliation?day=${COMPARED_DAY}`,
  '(app)/[environment=environment]/requests': () => '/sandbox/requests',
  '(app)/[environment=environment]/requests/[request_id]': async ({ owner }) =>
    `/sandbox/requests/${await anyRequestId(owner)}`,
  '(app)/[environment=environment]/webhooks/deliveries': () => '/sandbox/webhooks/deliveries',
  '(app)/[environment=environment]/webhooks/deliveries/[delivery_id]': ({ failedDeliveryId }) =>
    `/sandbox/webhooks/deliveries/${failedDeliveryId}`,
  '(app)/[environment=environment]/webhooks/events': () => '/sandbox/webhooks/events',
  '(app)/[environment=environment]/webhooks/events/[event_id]': ({ eventId }) =>
    `/sandbox/webhooks/events/${eventId}`,
  '(app)/[environment=environment]/webhooks': () => '/sandbox/webhooks',
  '(app)/[environment=environment]/webhooks/endpoints/new': () => '/sandbox/webhooks/endpoints/new',
  '(app)/[environment=environment]/webhooks/endpoints/[endpoint_id]': ({ endpointId }) =>
    `/sandbox/webhooks/endpoints/${endpointId}`,
  '(app)/[environment=environment]/webhooks/endpoints/[endpoint_id]/edit': ({ endpointId }) =>
    `/sandbox/webhooks/endpoints/${endpointId}/edit`,
  '(app)/[environment=environment]/webhooks/event-types': () => '/sandbox/webhooks/event-types',
  '(app)/[environment=environment]/webhooks/verify': () => '/sandbox/webhooks/verify',
  '(app)/[environment=environment]/usage': () => '/sandbox/usage',
  '(app)/audit': () => '/audit',
  '(app)/audit/[record_id]': ({ auditRecordId }) => `/audit/${auditRecordId}`,
  '(app)/audit/verification': () => '/audit/verification',
  '(app)/team': () => '/team',
  '(app)/team/invite': () => '/team/invite',
  '(app)/team/members/[member_id]': ({ developer }) => `/team/members/${developer.id}`,
  '(app)/team/notifications': () => '/team/notifications',
  '(app)/team/policies': () => '/team/policies',
  '(app)/team/sandbox': () => '/team/sandbox',
  '(app)/team/single-sign-on': () => '/team/single-sign-on',
  '(app)/team/tokens': () => '/team/tokens',
  '(app)/team/tokens/new': () => '/team/tokens/new',
  '(app)/team/tokens/[token_id]': ({ apiTokenId }) => `/team/tokens/${apiTokenId}`,
  '(app)/teams/new': () => '/teams/new',
  '(app)/account': () => '/account',
  '(app)/account/email': () => '/account/email',
  '(app)/account/passkeys/new': () => '/account/passkeys/new',
  '(app)/account/password': () => '/account/password',
  '(app)/account/second-factor': () => '/account/second-factor',
  '(app)/account/sessions': () => '/account/sessions',
};

/** Only the installation admin creates further teams. */
export const OF_INSTALLATION_ADMIN = '(app)/teams/new';

export function needsSession(page: string): boolean {
  return page.startsWith('(app)/') || ['(entry)/device', '(entry)/reauthenticate'].includes(page);
}

/** The folders of all existing pages. */
export async function listPages(): Promise<string[]> {
  const files = await readdir(ROUTES, { recursive: true });
  return files.filter((file) => file.endsWith('+page.svelte')).map((file) => dirname(file));
}

/** `sandbox-payments` for `/sandbox/payments`: for file names. */
export function nameOf(page: string): string {
  return page
    .replaceAll(/\/?\((?:app|entry|home)\)\/?|=environment/g, '')
    .replaceAll(/[[\]]/g, '')
    .replaceAll('/', '-');
}

/** A request appears in the log a moment after its response. */
async function anyRequestId(owner: TestMember): Promise<string> {
  const list = async () => (await owner.call(listRequests, { environment: 'sandbox', limit: 1 })).data;
  await eventually('a request is logged', async () => (await list()).length > 0, { timeoutMs: 30_000 });
  return (await list())[0]?.id as string;
}

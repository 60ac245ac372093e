import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import type { AttentionItem } from '#lib/home/home-view.ts';
import { readLeakedKeys } from '../applications/read-keys.ts';
import { orNull } from '../or-null.ts';
import { type AttentionSources, attentionItems } from './attention.ts';

type Viewer = Pick<AttentionSources, 'timeZone' | 'nowMs'>;

const EXPIRES_SOON_MS = 14 * DAY_MS;
/** More would hide the rest of the page. Handling the first ones reveals the others. */
const SHOWN_OF_A_KIND = 5;

/**
 * What a member should act on, except for keys. Omits what only an unavailable service knows. `endpoints` is null when they
 * are unknown.
 */
export async function readAttention(
  admin: AdminClient,
  environment: Environment,
  { endpoints, ...viewer }: Viewer & { endpoints: Promise<WebhookEndpoint[] | null> },
): Promise<AttentionItem[]> {
  const [processors, approvals, knownEndpoints] = await Promise.all([
    orNull(admin.call(ADMIN_ROUTES.listProcessors, { environment })),
    // Only settlements of live payments need an approval.
    environment === 'live'
      ? orNull(admin.call(ADMIN_ROUTES.listApprovalRequests, { status: 'open', limit: SHOWN_OF_A_KIND }))
      : null,
    endpoints,
  ]);
  return attentionItems({
    environment,
    processors: processors?.data,
    approvals: approvals?.data,
    endpoints: knownEndpoints ?? undefined,
    ...viewer,
  });
}

/** The keys that a member should act on. Omits what only an unavailable service knows. */
export async function readKeyAttention(
  admin: AdminClient,
  environment: Environment,
  viewer: Viewer,
): Promise<AttentionItem[]> {
  const expires_before = new Date(viewer.nowMs + EXPIRES_SOON_MS).toISOString();
  const [leakedKeys, expiringKeys] = await Promise.all([
    readLeakedKeys(admin, { environment }),
    orNull(admin.call(ADMIN_ROUTES.listTeamKeys, { environment, expires_before, limit: SHOWN_OF_A_KIND })),
  ]);
  return attentionItems({ environment, leakedKeys, expiringKeys: expiringKeys?.data, ...viewer });
}

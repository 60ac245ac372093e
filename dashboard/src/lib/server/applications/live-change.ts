import type { ActionFailure } from '@sveltejs/kit';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { APPLICATION_LIMITS, type Application } from '@tollgate/contracts/applications/application';
import type { RateLimit } from '@tollgate/contracts/applications/rate-limit';
import { SCOPES, type Scope } from '@tollgate/contracts/applications/scopes';
import { HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { countOf, formatCount } from '#lib/format/number.ts';
import { allows } from '#lib/server/access.ts';
import { askToConfirm, type Form, type FormFailure } from '../form.ts';
import { orNull } from '../or-null.ts';

const MINUTES_PER_HOUR = HOUR_MS / MINUTE_MS;

/**
 * Asks the member to confirm a change that affects live keys. Null when the change can be sent: it is confirmed, affects
 * no live key, or the service rejects it anyway because of the member's role or an outdated version.
 */
export async function askAboutLiveChange(
  admin: AdminClient,
  form: Form,
  { application, changes, route }: { application: Application; changes: string[]; route: AdminRoute },
): Promise<ActionFailure<FormFailure> | null> {
  if (changes.length === 0 || form.version() !== application.version) return null;
  const [keys, me, requests] = await Promise.all([
    admin.call(ADMIN_ROUTES.listKeys, {
      application_id: application.id,
      environment: 'live',
      status: 'active',
      limit: APPLICATION_LIMITS.activeKeysPerApplication,
    }),
    admin.call(ADMIN_ROUTES.getMe, {}),
    orNull(countLiveRequests(admin, application.id, Date.now())),
  ]);
  if (keys.data.length === 0 || !allows(route, me.role)) return null;
  return askToConfirm(form, {
    token: `${application.version}: ${changes.join('; ')}`,
    title: 'Confirm the change to live',
    impact: [countOf(keys.data.length, 'live key'), trafficLabel(requests), ...changes],
  });
}

/** One line for added and one for removed scopes. */
export function scopeChanges(before: readonly Scope[], after: readonly Scope[]): string[] {
  const added = after.filter((scope) => !before.includes(scope));
  const removed = before.filter((scope) => !after.includes(scope));
  return [...changeOfScopes('Adds', added), ...changeOfScopes('Removes', removed)];
}

/** One line if the limit changes. None if a number is missing: the service rejects it. */
export function limitChanges(before: RateLimit, after: RateLimit): string[] {
  if (Number.isNaN(after.requests_per_second) || Number.isNaN(after.burst)) return [];
  if (before.requests_per_second === after.requests_per_second && before.burst === after.burst) return [];
  return [`Changes the limit from ${limitLabel(before)} to ${limitLabel(after)}`];
}

function changeOfScopes(verb: string, scopes: readonly Scope[]): string[] {
  // A scope that this release does not know has no title. The service rejects it.
  const titles = scopes.map((scope) => (SCOPES[scope]?.title ?? scope).toLowerCase());
  return titles.length === 0 ? [] : [`${verb}: ${titles.join(', ')}`];
}

function limitLabel({ requests_per_second, burst }: RateLimit): string {
  return `${formatCount(requests_per_second)} requests/s (burst ${formatCount(burst)})`;
}

/** @param requests in the last hour; null when usage is unavailable */
export function trafficLabel(requests: number | null): string {
  if (requests === null) return 'Live traffic unknown: usage is unavailable';
  if (requests === 0) return 'No live requests in the last hour';
  const perMinute = Math.round(requests / MINUTES_PER_HOUR);
  if (perMinute === 0) return 'Less than 1 request/min in the last hour';
  return `${countOf(perMinute, 'request')}/min in the last hour`;
}

/** In the last complete hour of minutes. */
async function countLiveRequests(admin: AdminClient, applicationId: string, nowMs: number): Promise<number> {
  const to = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const { total } = await admin.call(ADMIN_ROUTES.totalUsage, {
    application_id: applicationId,
    environment: 'live',
    granularity: 'minute',
    from: new Date(to - HOUR_MS).toISOString(),
    to: new Date(to).toISOString(),
    limit: 1,
  });
  return total.requests;
}

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { readKey } from '#lib/server/applications/read-keys.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { orNull } from '#lib/server/or-null.ts';
import { readRecentUsage } from '#lib/server/usage/recent-usage.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { locals, params, cookies } = event;
  const { application_id, environment, key_id } = params;
  const nowMs = Date.now();
  const { timeZone } = locals;
  const key = await readKey(event);
  const [usage, keyUses] = await Promise.all([
    readRecentUsage(locals.admin, { environment, application_id, key_id }, { timeZone, nowMs }),
    orNull(locals.admin.call(ADMIN_ROUTES.keyUses, { application_id })),
  ]);
  return {
    key,
    apiUrl: locals.apiUrls[environment],
    usage,
    limits: limitsOf({ revoke: ADMIN_ROUTES.revokeKey }),
    flash: takeFlash(cookies, ['key-saved']),
    /** Null when unknown; `at` is null when the key was never used. */
    lastUse: keyUses && { at: keyUses.data.find((use) => use.key_id === key_id)?.last_used_at ?? null },
    now: nowMs,
  };
};

export const actions = {
  /** The new secret appears only in the response to the POST: never in an address, a cookie or a log. */
  rotate: formAction(
    ADMIN_ROUTES.rotateKey,
    async (form, event: RequestEvent) => ({
      key_id: (await readKey(event)).id,
      overlap_s: form.integer('overlap_s'),
    }),
    ({ secret, ...key }) => ({
      made: { key, secret: shownOnce(secret), idempotencyKey: crypto.randomUUID() },
    }),
  ),

  handleLeak: formAction(
    ADMIN_ROUTES.handleLeak,
    async (_, event: RequestEvent) => ({ key_id: (await readKey(event)).id }),
    'Leak marked as handled.',
  ),

  revoke: formAction(
    ADMIN_ROUTES.revokeKey,
    async (form, event: RequestEvent) => {
      const key = await readKey(event);
      // Guards against accidental revocation: requests with a live key fail immediately.
      if (key.environment === 'live' && form.text('confirmation') !== key.name)
        form.reject('confirmation', 'The name does not match.');
      return { key_id: key.id, reason: form.optional('reason') };
    },
    'API key revoked.',
  ),
} satisfies Actions;

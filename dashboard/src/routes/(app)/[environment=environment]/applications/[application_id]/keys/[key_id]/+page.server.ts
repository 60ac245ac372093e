import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { readKey } from '#lib/server/applications/read-key.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { orNull } from '#lib/server/or-null.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { readRecentUsage } from '#lib/server/usage/recent-usage.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  const { locals, params, cookies } = event;
  const { application_id, environment, key_id } = params;
  const nowMs = Date.now();
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  const key = await readKey(event);
  const [usage, keyUses] = await Promise.all([
    readRecentUsage(locals.admin, { environment, application_id, key_id }, { timeZone, nowMs }),
    orNull(locals.admin.call(ADMIN_ROUTES.keyUses, { application_id })),
  ]);
  return {
    key,
    apiUrl: locals.apiUrls[environment],
    usage,
    flash: takeFlash(cookies, ['key-saved']),
    /** Null when unknown; `at` is null when the key was never used. */
    lastUse: keyUses && { at: keyUses.data.find((use) => use.key_id === key_id)?.last_used_at ?? null },
    now: nowMs,
  };
};

export const actions: Actions = {
  /** The new secret appears only in the response to the POST: never in an address, a cookie or a log. */
  rotate: async (event) => {
    const form = await readForm(event.request);
    const { id } = await readKey(event);
    return submitForm(form, async () => {
      const { secret, ...created } = await event.locals.admin.call(ADMIN_ROUTES.rotateKey, {
        key_id: id,
        overlap_s: form.integer('overlap_s'),
      });
      return { made: { key: created, secret: shownOnce(secret), idempotencyKey: randomUUID() } };
    });
  },

  handleLeak: async (event) => {
    const form = await readForm(event.request);
    const { id } = await readKey(event);
    return submitForm(form, async () => {
      await event.locals.admin.call(ADMIN_ROUTES.handleLeak, { key_id: id });
      return { form: 'leak', done: 'Leak marked as handled.' };
    });
  },

  revoke: async (event) => {
    const form = await readForm(event.request);
    const key = await readKey(event);
    // Guards against accidental revocation: requests with a live key fail immediately.
    if (key.environment === 'live' && form.text('confirmation') !== key.name) {
      return failForm(form, 400, { errors: { confirmation: 'The name does not match.' } });
    }
    const reason = form.optional('reason');
    return submitForm(form, async () => {
      await event.locals.admin.call(ADMIN_ROUTES.revokeKey, { key_id: key.id, ...(reason && { reason }) });
      return { form: 'revoke', done: 'API key revoked.' };
    });
  },
};

import { redirect } from '@sveltejs/kit';
import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { mayRead } from '@tollgate/contracts/platform/roles';
import { VERIFICATION_KEY } from '#lib/audit/audit-key.ts';
import { offeredPeriod } from '#lib/server/audit/export-period.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { Actions, PageServerLoad } from './$types';

const PAGE_SIZE = 12;

export const load: PageServerLoad = async ({ locals, parent, url, cookies, depends }) => {
  depends(VERIFICATION_KEY);
  const { admin } = locals;
  const cursor = url.searchParams.get('cursor');
  const [log, { me }] = await Promise.all([
    pagePart(
      'audit',
      Promise.all([
        admin.call(auditRoutes.latestVerification, {}),
        admin
          .call(auditRoutes.listHeads, { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) })
          .catch((error) => {
            if (isAboutCursor(error)) redirect(303, url.pathname);
            throw error;
          }),
        admin.call(auditRoutes.listPublicKeys, {}),
      ]).then(([{ verification }, heads, keys]) => ({
        verification,
        heads,
        publicKeys: keys.data.toSorted((one, other) => other.version - one.version),
      })),
    ),
    parent(),
  ]);
  const now = Date.now();
  return {
    log,
    isFirstPage: cursor === null,
    mayExport: mayRead(me.role, 'admin'),
    period: offeredPeriod(now, readTimeZone(cookies.get(TIME_ZONE_COOKIE))),
    now,
  };
};

export const actions = {
  verify: async ({ locals, request, url }) => {
    const form = await readForm(request);
    const failure = await submitForm(form, async () => {
      await locals.admin.call(auditRoutes.startVerification, {});
    });
    if (failure) return failure;
    // Redirects away from the form's address, so that reloading the page does not start another verification.
    redirect(303, url.pathname);
  },
} satisfies Actions;

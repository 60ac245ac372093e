import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { isId } from '@tollgate/contracts/platform/ids';
import { mayCreateApplications } from '#lib/server/applications/permissions.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { listApplicationNames } from '#lib/server/payments/application-names.ts';
import { mayManageEndpoints } from '#lib/server/webhooks/permissions.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 25;

export const load: PageServerLoad = async ({
  locals,
  cookies,
  params: { environment },
  parent,
  url,
  depends,
}) => {
  depends(WEBHOOKS_KEY);
  const cursor = url.searchParams.get('cursor');
  const asked = url.searchParams.get('application') ?? '';
  const applicationId = isId('application', asked) ? asked : null;
  const filter = applicationId === null ? {} : { application_id: applicationId };
  const [page, applications, { me }] = await Promise.all([
    locals.admin
      .call(ADMIN_ROUTES.listEndpoints, {
        environment,
        limit: PAGE_SIZE,
        ...filter,
        ...(cursor !== null && { cursor }),
      })
      .catch((error) => {
        if (!isAboutCursor(error)) throw error;
        redirect(303, applicationId === null ? url.pathname : `${url.pathname}?application=${applicationId}`);
      }),
    pagePart('applications', listApplicationNames(locals.admin)),
    parent(),
  ]);
  return {
    endpoints: page.data,
    nextCursor: page.next_cursor,
    previousCursor: page.previous_cursor,
    applicationId,
    applications: applications.ok ? applications.data : [],
    /** An endpoint requires an application. Unknown counts as true. */
    hasApplication: !applications.ok || applications.data.some(({ isArchived }) => !isArchived),
    eventTypeCount: PAYMENT_EVENT_TYPES.length,
    flash: takeFlash(cookies, ['endpoint-deleted']),
    may: {
      manage: mayManageEndpoints(me.role, environment),
      createApplication: mayCreateApplications(me.role),
    },
    now: Date.now(),
  };
};

import { json } from '@sveltejs/kit';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { RequestHandler } from './$types';

/** Short, so that a changed address is soon known. */
const MAX_AGE_S = MINUTE_MS / SECOND_MS;

/** The addresses of this installation: a program needs only that of the dashboard. Public, and without secrets. */
export const GET: RequestHandler = ({ locals }) =>
  json(
    {
      admin_api_url: locals.adminApiUrl,
      live_api_url: locals.apiUrls.live,
      sandbox_api_url: locals.apiUrls.sandbox,
      device_verification_url: `${locals.dashboardUrl}/device`,
    },
    { headers: { 'cache-control': `public, max-age=${MAX_AGE_S}` } },
  );

import { isRedirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { STREAM_PATH } from '@tollgate/contracts/admin-api/routes';
import { readEnvironment } from '#lib/server/environment-cookie.ts';
import type { RequestHandler } from './$types';

/** Server-sent events about changes in one environment of the team, for live pages. */
export const GET: RequestHandler = async ({ locals, url, request }) => {
  if (locals.session === null) return rejected(401);
  const environment = readEnvironment(url.searchParams.get('environment'));
  try {
    // The signal ends the stream at the gateway when the browser disconnects.
    const upstream = await locals.admin.open(STREAM_PATH, { environment }, request.signal);
    return new Response(upstream.body, {
      headers: {
        'content-type': 'text/event-stream',
        // Proxies such as nginx would otherwise buffer events.
        'x-accel-buffering': 'no',
      },
    });
  } catch (error) {
    if (isRedirect(error)) return rejected(401);
    if (error instanceof AdminProblem) return rejected(error.status);
    throw error;
  }
};

/** An EventSource stops retrying on any status other than 200: the page then reconnects with its own backoff. */
function rejected(status: number): Response {
  return new Response(null, { status });
}

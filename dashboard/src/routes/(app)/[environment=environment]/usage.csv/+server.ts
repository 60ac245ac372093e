import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { GROUPS_OF, readPages } from '#lib/server/usage/read-usage.ts';
import { usageCsv } from '#lib/server/usage/usage-csv.ts';
import { breakdownOf, parseUsageFilters, USAGE_FILTER_NAMES } from '#lib/server/usage/usage-filters.ts';
import type { RequestHandler } from './$types';

/** The usage that matches the filters in the address: one line per minute, hour or day and row of the page's table. */
export const GET: RequestHandler = async ({ locals, params: { environment }, url, cookies }) => {
  if (locals.session === null) redirect(303, signInPath(url));
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  const typed = readTyped(USAGE_FILTER_NAMES, url.searchParams);
  const { counted, range, errors } = parseUsageFilters(typed, { timeZone, nowMs: Date.now() });
  if (range === null) {
    const [wrong] = Object.values(errors);
    const message = `Usage cannot be exported with these filters. ${wrong}`;
    error(400, { message, requestId: locals.requestId });
  }
  const groupBy = GROUPS_OF[breakdownOf(typed)];
  // Record the export in the audit log before reading any data.
  await locals.admin.call(ADMIN_ROUTES.recordExport, {
    of: 'usage',
    environment,
    filters: Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== '')),
  });
  const pages = readPages(locals.admin, { environment, ...counted }, range, groupBy);
  const file = usageCsv(await readAhead(pages), groupBy);
  return new Response(streamOf(file), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName(environment)}"`,
    },
  });
};

/** Errors before the first page produce an error response. Later errors abort the download. */
async function readAhead<T>(pages: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await pages.next();
  async function* all() {
    if (first.done) return;
    yield first.value;
    yield* pages;
  }
  return all();
}

function streamOf(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const text = await texts.next();
      if (text.done) controller.close();
      else controller.enqueue(encoder.encode(text.value));
    },
    async cancel() {
      await texts.return();
    },
  });
}

/** `tollgate-live-usage-2026-11-21.csv` */
function fileName(environment: string): string {
  return `tollgate-${environment}-usage-${new Date().toISOString().slice(0, 10)}.csv`;
}

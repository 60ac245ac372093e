import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { newestDay, readComparisonDay } from '#lib/server/processors/comparison-day.ts';
import { startOver } from '#lib/server/start-over.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;

export const load: PageServerLoad = async ({ locals, params, url, depends }) => {
  depends(PAYMENTS_KEY);
  const { environment, name } = params;
  const path = `/${environment}/processors/${encodeURIComponent(name)}/reconciliation`;
  const now = Date.now();
  const typed = url.searchParams.get('day');
  const chosen = typed === null ? null : readComparisonDay(typed, now);
  // An empty field, or an edited address.
  if (typed !== null && chosen === null) redirect(303, path);
  const cursor = url.searchParams.get('cursor') ?? undefined;
  const loading = locals.admin
    .call(ADMIN_ROUTES.getReconciliation, {
      name,
      environment,
      limit: PAGE_SIZE,
      day: chosen?.day,
      cursor,
    })
    .catch(startOver(chosen ? `${path}?day=${chosen.day}` : path));
  return {
    name,
    path,
    chosen,
    newestDay: newestDay(now),
    isFirstPage: cursor === undefined,
    reconciliation: await pagePart('reconciliation', loading),
    now,
  };
};

import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { newestDay, readComparisonDay } from '#lib/server/processors/comparison-day.ts';
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
  const cursor = url.searchParams.get('cursor');
  const loading = locals.admin
    .call(ADMIN_ROUTES.getReconciliation, {
      name,
      environment,
      limit: PAGE_SIZE,
      ...(chosen && { day: chosen.day }),
      ...(cursor !== null && { cursor }),
    })
    .catch((error) => {
      if (isAboutCursor(error)) redirect(303, chosen ? `${path}?day=${chosen.day}` : path);
      throw error;
    });
  return {
    name,
    path,
    chosen,
    newestDay: newestDay(now),
    isFirstPage: cursor === null,
    reconciliation: await pagePart('reconciliation', loading),
    now,
  };
};

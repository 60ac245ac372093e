import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { YEAR_S } from '@tollgate/contracts/platform/durations';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { knownColumns, readTableView, TABLE_VIEW_COOKIE, writeTableView } from '#lib/payments/table-view.ts';
import { readForm } from '#lib/server/form.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import { listPath, readFilters } from '#lib/server/list/read-filters.ts';
import { orNull } from '#lib/server/or-null.ts';
import { applicationChoices, namesById, readApplications } from '#lib/server/payments/application-names.ts';
import { PAYMENT_FILTERS, PAYMENT_LIST } from '#lib/server/payments/payment-filters.ts';
import { describeTotals, statusTabs } from '#lib/server/payments/payment-totals.ts';
import type { Actions, PageServerLoad } from './$types';

const PAGE_SIZE = 25;

export const load: PageServerLoad = async (event) => {
  event.depends(PAYMENTS_KEY);
  const { url, cookies, locals } = event;
  const { admin, timeZone } = locals;
  const { environment } = event.params;
  const { values, request, isValid } = readFilters(PAYMENT_FILTERS, url.searchParams, timeZone);
  const { status: _, ...filtersButStatus } = request;
  const applications = readApplications(admin);
  const [list, totals] = await Promise.all([
    loadList(event, {
      part: 'payments',
      filters: PAYMENT_LIST,
      options: { application: applications.then(applicationChoices) },
      pageSize: PAGE_SIZE,
      call: (page) => admin.call(ADMIN_ROUTES.listPayments, { environment, ...page }),
    }),
    isValid ? orNull(admin.call(ADMIN_ROUTES.totalPayments, { ...filtersButStatus, environment })) : null,
  ]);
  const isWholeList = list.page.ok && list.isFirstPage && list.page.data.next_cursor === null;
  return {
    list,
    tabs: statusTabs(list, totals?.data ?? null),
    totals: totals === null ? [] : describeTotals(totals.data, values.get('status') ?? ''),
    tableView: readTableView(cookies.get(TABLE_VIEW_COOKIE)),
    exportPath: isValid ? listPath(`/${environment}/payments.csv`, values) : null,
    /** Null when this page has all payments that meet the filters. */
    bulkPath: list.page.ok && !isWholeList ? listPath(`/${environment}/payments/bulk`, values) : null,
    applicationNames: namesById(await applications),
    now: Date.now(),
  };
};
export const actions = {
  table: async ({ request, cookies, locals, url }) => {
    const form = await readForm(request);
    const view = { isCompact: form.has('compact'), columns: knownColumns(form.all('column')) };
    const options = { maxAge: YEAR_S, sameSite: 'lax', secure: locals.secure } as const;
    cookies.set(TABLE_VIEW_COOKIE, writeTableView(view), options);
    // Without a script, the browser is at the address of this action.
    if (!request.headers.has('x-sveltekit-action'))
      redirect(303, listPath(url.pathname, url.searchParams, ['/table']));
  },
} satisfies Actions;

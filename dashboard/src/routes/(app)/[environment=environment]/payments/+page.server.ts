import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { YEAR_S } from '@tollgate/contracts/platform/durations';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { knownColumns, readTableView, TABLE_VIEW_COOKIE, writeTableView } from '#lib/payments/table-view.ts';
import { readForm } from '#lib/server/form.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { activePaymentFilters, paymentsPath, statusTabs } from '#lib/server/payments/active-filters.ts';
import { applicationChoices, listApplicationNames } from '#lib/server/payments/application-names.ts';
import { readListView, viewRequest } from '#lib/server/payments/list-view.ts';
import { filterQuery, parseFilters, readTypedFilters } from '#lib/server/payments/payment-filters.ts';
import { PAYMENT_PERIODS } from '#lib/server/payments/payment-period.ts';
import { describeTotals } from '#lib/server/payments/payment-totals.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { Actions, PageServerLoad } from './$types';

/** Empty is the default. */
const ORDERS = [
  { value: '', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
];
const ROWS = [
  { value: '', label: '25' },
  { value: '50', label: '50' },
  { value: '100', label: '100' },
];

const PERIODS = [
  { value: '', label: 'Any time, or the dates below' },
  ...Object.entries(PAYMENT_PERIODS).map(([value, label]) => ({ value, label })),
];
const BASES = [
  { value: '', label: 'Created' },
  { value: 'success', label: 'Succeeded' },
];
const CURRENCIES = [
  { value: '', label: 'All currencies' },
  ...[...CURRENCY_EXPONENTS.keys()].sort().map((code) => ({ value: code, label: code })),
];

export const load: PageServerLoad = async ({ locals, params: { environment }, url, cookies, depends }) => {
  depends(PAYMENTS_KEY);
  const { admin } = locals;
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  const typed = readTypedFilters(url.searchParams);
  const view = readListView(url.searchParams);
  // A form also submits empty fields. The redirect removes them from the address.
  if (url.searchParams.values().some((value) => value === ''))
    redirect(303, paymentsPath(environment, typed, view));
  const { request, errors } = parseFilters(typed, timeZone);
  const cursor = url.searchParams.get('cursor');
  const isValid = Object.keys(errors).length === 0;

  const loading = isValid
    ? admin.call(ADMIN_ROUTES.listPayments, {
        environment,
        ...request,
        ...viewRequest(view),
        ...(cursor !== null && { cursor }),
      })
    : Promise.resolve({ data: [], next_cursor: null, previous_cursor: null });
  const { status: _, ...filtersButStatus } = request;
  const [page, applications, totals] = await Promise.all([
    pagePart('payments', loading).catch((error) => {
      if (isAboutCursor(error)) redirect(303, paymentsPath(environment, typed, view));
      throw error;
    }),
    pagePart('applications', listApplicationNames(admin)),
    isValid ? orNull(admin.call(ADMIN_ROUTES.totalPayments, { environment, ...filtersButStatus })) : null,
  ]);
  const names = applications.ok ? applications.data : [];
  const applicationNames = new Map(names.map(({ id, name }) => [id, name]));
  const query = filterQuery(typed);
  const search = query.size > 0 ? `?${query}` : '';
  return {
    page,
    isFiltered: query.size > 0,
    isFirstPage: cursor === null,
    pageSize: viewRequest(view).limit,
    typed,
    view,
    tableView: readTableView(cookies.get(TABLE_VIEW_COOKIE)),
    errors,
    tabs: statusTabs(typed, { environment, view, totals: totals?.data ?? null }),
    totals: totals === null ? [] : describeTotals(totals.data, typed.status),
    filters: activePaymentFilters(typed, { environment, view, applicationNames }),
    exportPath: isValid ? `/${environment}/payments.csv${search}` : null,
    /** Null when this page has all payments that meet the filters. */
    bulkPath:
      page.ok && (cursor !== null || page.data.next_cursor !== null)
        ? `/${environment}/payments/bulk${search}`
        : null,
    applicationNames: Object.fromEntries(applicationNames),
    choices: {
      orders: ORDERS,
      rows: ROWS,
      applications: applicationChoices(names, typed.application),
      currencies: CURRENCIES,
      periods: PERIODS,
      bases: BASES,
    },
    now: Date.now(),
  };
};

export const actions = {
  table: async ({ request, cookies, locals }) => {
    const form = await readForm(request);
    const view = { isCompact: form.has('compact'), columns: knownColumns(form.all('column')) };
    const options = { maxAge: YEAR_S, sameSite: 'lax', secure: locals.secure } as const;
    cookies.set(TABLE_VIEW_COOKIE, writeTableView(view), options);
  },
} satisfies Actions;

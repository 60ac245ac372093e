import type { paymentRoutes } from '@tollgate/contracts/admin-api/payments-routes';
import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import { PAYMENT_LIMITS, PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import { isId } from '@tollgate/contracts/platform/ids';
import { CURRENCY_EXPONENTS, MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/platform/money';
import { formatAmount, parseAmount } from '#lib/format/amount.ts';
import { parseTimeRange, TIME_RANGE_NAMES, type TimeRangeName } from '#lib/server/filters/time-range.ts';
import { queryOf, readTyped, type Typed } from '#lib/server/filters/typed-filters.ts';
import { daysOf, isPaymentPeriod } from './payment-period.ts';

/** The filters as typed, by field name in the form and in the address. */
const FILTER_NAMES = [
  'search',
  'status',
  'application',
  'currency',
  'min',
  'max',
  'by',
  'period',
  ...TIME_RANGE_NAMES,
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** Empty when the filter is not set. */
export type TypedFilters = Typed<FilterName>;
export type FilterErrors = Partial<Record<FilterName, string>>;
export type FilterRequest = Omit<
  RouteRequest<typeof paymentRoutes.listPayments>,
  'limit' | 'cursor' | 'environment' | 'order'
>;

export function readTypedFilters(query: URLSearchParams): TypedFilters {
  return readTyped(FILTER_NAMES, query);
}

/** The query string of these filters, without those that are not set. */
export function filterQuery(typed: TypedFilters): URLSearchParams {
  return queryOf(FILTER_NAMES, typed);
}

/** The API query, or the errors to correct first. */
export function parseFilters(
  typed: TypedFilters,
  timeZone: string,
  nowMs = Date.now(),
): { request: FilterRequest; errors: FilterErrors } {
  const errors: FilterErrors = {};
  const request: FilterRequest = {
    ...choices(typed, errors),
    ...searchOf(typed, errors),
    ...amounts(typed, errors),
    ...periodOf(typedTimes(typed, timeZone, nowMs), typed.by, timeZone, errors),
  };
  return { request, errors };
}

/** The days of the named period, or else what was typed. */
export function typedTimes(
  typed: TypedFilters,
  timeZone: string,
  nowMs = Date.now(),
): Pick<TypedFilters, TimeRangeName> {
  if (!isPaymentPeriod(typed.period)) return typed;
  return { ...daysOf(typed.period, nowMs, timeZone), from_time: '', to_time: '' };
}

function periodOf(
  times: Pick<TypedFilters, TimeRangeName>,
  by: string,
  timeZone: string,
  errors: FilterErrors,
): FilterRequest {
  const { created_from: from, created_to: to } = parseTimeRange(times, timeZone, errors);
  const basis = by === 'success' ? 'succeeded' : 'created';
  return {
    ...(from !== undefined && { [`${basis}_from`]: from }),
    ...(to !== undefined && { [`${basis}_to`]: to }),
  };
}

function choices({ status, application, currency }: TypedFilters, errors: FilterErrors): FilterRequest {
  const request: FilterRequest = {};
  const known = PAYMENT_STATUSES.find((candidate) => candidate === status);
  if (known) request.status = known;
  else if (status !== '') errors.status = 'Select a status.';
  if (isId('application', application)) request.application_id = application;
  else if (application !== '') errors.application = 'Select an application.';
  if (CURRENCY_EXPONENTS.has(currency.toUpperCase())) request.currency = currency.toUpperCase();
  else if (currency !== '') errors.currency = 'Unknown currency. Enter a three-letter code such as EUR.';
  return request;
}

function searchOf({ search }: TypedFilters, errors: FilterErrors): FilterRequest {
  if (search === '') return {};
  if (search.length <= PAYMENT_LIMITS.reference) return { search };
  errors.search = `Enter at most ${PAYMENT_LIMITS.reference} characters.`;
  return {};
}

function amounts({ min, max, currency }: TypedFilters, errors: FilterErrors): FilterRequest {
  if (min === '' && max === '') return {};
  if (currency === '') {
    errors.currency = 'Enter a currency for the amount.';
    return {};
  }
  // An amount can only be parsed with a valid currency, which determines its decimals.
  if (errors.currency) return {};
  const request: FilterRequest = {};
  const least = readAmount(min, currency, (message) => {
    errors.min = message;
  });
  const most = readAmount(max, currency, (message) => {
    errors.max = message;
  });
  if (least !== null) request.amount_min = least;
  if (most !== null) request.amount_max = most;
  if (least !== null && most !== null && least > most) {
    errors.max = 'The maximum must not be less than the minimum.';
  }
  return request;
}

function readAmount(text: string, currency: string, reject: (message: string) => void): number | null {
  if (text === '') return null;
  const code = currency.toUpperCase();
  const amount = parseAmount(text, code);
  if (amount === null) {
    reject(`Enter an amount such as ${formatAmount(123_456, code)}.`);
  } else if (amount < MIN_AMOUNT || amount > MAX_AMOUNT) {
    reject(`Enter an amount from ${formatAmount(MIN_AMOUNT, code)} to ${formatAmount(MAX_AMOUNT, code)}.`);
  } else return amount;
  return null;
}

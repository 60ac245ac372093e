import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { usageRoutes } from '@tollgate/contracts/admin-api/usage-routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { IDEMPOTENCY_KEY } from '@tollgate/contracts/platform/headers';
import { isId } from '@tollgate/contracts/platform/ids';
import { USAGE_OPERATIONS } from '@tollgate/contracts/usage/usage';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { parseTimeRange, TIME_RANGE_CHIPS, TIME_RANGE_NAMES } from '#lib/server/filters/time-range.ts';
import { listPath, type Typed } from '#lib/server/filters/typed-filters.ts';
import { OPERATION_LABELS } from '#lib/usage/usage-labels.ts';

/** Names of the filters, as fields of the form and of the address. */
export const REQUEST_FILTER_NAMES = [
  'status',
  'operation',
  'application',
  'payment',
  'key',
  'idempotency_key',
  'code',
  'address',
  ...TIME_RANGE_NAMES,
] as const;
type RequestFilterName = (typeof REQUEST_FILTER_NAMES)[number];
export type TypedRequestFilters = Typed<RequestFilterName>;
export type RequestFilterErrors = Partial<Record<RequestFilterName, string>>;

type Request = Omit<RouteRequest<typeof usageRoutes.listRequests>, 'limit' | 'cursor' | 'environment'>;

const STATUS = /^([1-5]\d\d|[245]xx|aborted)$/;
const CODE = /^[a-z][a-z-]{0,63}$/;
const ADDRESS = /^[0-9a-f.:]{2,45}$/i;

/** The API query, or the errors to correct first. */
export function parseRequestFilters(
  typed: TypedRequestFilters,
  timeZone: string,
): { request: Request; errors: RequestFilterErrors } {
  const errors: RequestFilterErrors = {};
  const request: Request = parseTimeRange(typed, timeZone, errors);
  const { status, operation, application, payment, key, idempotency_key, code, address } = typed;
  const known = USAGE_OPERATIONS.find((name) => name === operation);
  if (known) request.operation = known;
  else if (operation !== '') errors.operation = 'Select an operation.';
  if (isId('application', application)) request.application_id = application;
  else if (application !== '') errors.application = 'Select an application.';
  if (isId('payment', payment)) request.payment_id = payment;
  else if (payment !== '') errors.payment = 'Enter a payment ID such as pay_01kf….';
  if (isId('apiKey', key)) request.key_id = key;
  else if (key !== '') errors.key = 'Enter a key ID such as key_01kf….';
  if (IDEMPOTENCY_KEY.test(idempotency_key)) request.idempotency_key = idempotency_key;
  else if (idempotency_key !== '') errors.idempotency_key = 'Enter an idempotency key, or its digest.';
  if (STATUS.test(status)) request.status = status;
  else if (status !== '') errors.status = 'Enter a status such as 404, or 4xx.';
  if (CODE.test(code)) request.code = code;
  else if (code !== '') errors.code = 'Enter an error code such as invalid-request.';
  if (ADDRESS.test(address)) request.client_address = address;
  else if (address !== '') errors.address = 'Enter an IP address.';
  return { request, errors };
}

/** The active filters, in the order of the form. `applicationNames` is by id. */
export function activeRequestFilters(
  typed: TypedRequestFilters,
  {
    environment,
    applicationNames,
  }: { environment: Environment; applicationNames: ReadonlyMap<string, string> },
): ActiveFilter[] {
  const chips: Chip<RequestFilterName>[] = [
    { label: 'Status', names: ['status'], say: ({ status }) => status },
    { label: 'Operation', names: ['operation'], say: ({ operation }) => operationLabel(operation) },
    {
      label: 'Application',
      names: ['application'],
      say: ({ application }) => applicationNames.get(application) ?? application,
    },
    { label: 'Payment', names: ['payment'], say: ({ payment }) => payment },
    { label: 'API key', names: ['key'], say: ({ key }) => key },
    { label: 'Idempotency key', names: ['idempotency_key'], say: ({ idempotency_key }) => idempotency_key },
    { label: 'Error code', names: ['code'], say: ({ code }) => code },
    { label: 'Address', names: ['address'], say: ({ address }) => address },
    ...(TIME_RANGE_CHIPS as readonly Chip<RequestFilterName>[]),
  ];
  return activeFilters(chips, typed, (others) => requestsPath(environment, others));
}

export function requestsPath(environment: Environment, typed: TypedRequestFilters): string {
  return listPath(`/${environment}/requests`, REQUEST_FILTER_NAMES, typed);
}

function operationLabel(operation: string): string {
  const known = USAGE_OPERATIONS.find((name) => name === operation);
  return known ? OPERATION_LABELS[known] : operation;
}

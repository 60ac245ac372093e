import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { IDEMPOTENCY_KEY } from '@tollgate/contracts/platform/headers';
import { USAGE_OPERATIONS } from '@tollgate/contracts/usage/usage';
import { labelsOf } from '#lib/format/label-of.ts';
import {
  applicationFilter,
  choiceFilter,
  type FiltersOf,
  idFilter,
  textFilter,
} from '#lib/server/list/filter.ts';
import { createdRange } from '#lib/server/list/time-range.ts';
import { paymentFilter } from '#lib/server/webhooks/event-filters.ts';

const STATUS = /^([1-5]\d\d|[245]xx|aborted)$/;
const CODE = /^[a-z][a-z-]{0,63}$/;
const ADDRESS = /^[0-9a-f.:]{2,45}$/i;

/** A link can ask for any other status. */
const STATUSES = [
  { value: '2xx', label: '2xx: succeeded' },
  { value: '4xx', label: '4xx: rejected' },
  { value: '5xx', label: '5xx: failed' },
  { value: 'aborted', label: 'Aborted by the client' },
  ...['400', '401', '403', '404', '409', '422', '429'].map((status) => ({ value: status, label: status })),
];

export const operationFilter = choiceFilter(
  { name: 'operation', label: 'Operation', any: 'All', labels: labelsOf(USAGE_OPERATIONS) },
  'Select an operation.',
);

export const REQUEST_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listRequests> = [
  textFilter(
    { name: 'status', label: 'Status', control: 'select', any: 'Any', options: STATUSES },
    'Enter a status such as 404, or 4xx.',
    (status) => (STATUS.test(status) ? { status } : null),
  ),
  operationFilter,
  applicationFilter,
  paymentFilter,
  idFilter(
    'apiKey',
    { name: 'key', label: 'API key', isMore: true },
    'Enter a key ID: key_ followed by 26 characters.',
  ),
  textFilter(
    {
      name: 'idempotency_key',
      label: 'Idempotency key',
      placeholder: 'order-1042',
      isMono: true,
      isMore: true,
    },
    'Enter an idempotency key, or its digest.',
    (idempotency_key) => (IDEMPOTENCY_KEY.test(idempotency_key) ? { idempotency_key } : null),
  ),
  textFilter(
    { name: 'code', label: 'Error code', placeholder: 'invalid-request', isMono: true, isMore: true },
    'Enter an error code such as invalid-request.',
    (code) => (CODE.test(code) ? { code } : null),
  ),
  textFilter(
    { name: 'address', label: 'IP address', placeholder: '192.0.2.1', isMono: true, isMore: true },
    'Enter an IP address.',
    (client_address) => (ADDRESS.test(client_address) ? { client_address } : null),
  ),
  createdRange,
];

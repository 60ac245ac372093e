import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { DELIVERY_STATUSES } from '@tollgate/contracts/webhooks/webhook';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import {
  activeDeliveryFilters,
  DELIVERY_FILTER_NAMES,
  deliveriesPath,
  parseDeliveryFilters,
} from '#lib/server/webhooks/delivery-filters.ts';
import { listEndpointUrls } from '#lib/server/webhooks/endpoint-urls.ts';
import { DELIVERY_STATUS_LABELS } from '#lib/webhooks/delivery-labels.ts';
import { shortenUrl } from '#lib/webhooks/shorten-url.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;
const NO_PAGE = { data: [], next_cursor: null, previous_cursor: null };

export const load: PageServerLoad = async ({ locals, params: { environment }, url, cookies, depends }) => {
  depends(WEBHOOKS_KEY);
  const { admin } = locals;
  const typed = readTyped(DELIVERY_FILTER_NAMES, url.searchParams);
  // A form also submits empty fields. The redirect removes them from the address.
  if (url.searchParams.values().some((value) => value === ''))
    redirect(303, deliveriesPath(environment, typed));
  const { request, errors } = parseDeliveryFilters(typed, readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
  const cursor = url.searchParams.get('cursor');
  const isValid = Object.keys(errors).length === 0;

  const [page, endpoints] = await Promise.all([
    isValid
      ? admin
          .call(ADMIN_ROUTES.listDeliveries, {
            environment,
            ...request,
            limit: PAGE_SIZE,
            ...(cursor !== null && { cursor }),
          })
          .catch((error) => {
            if (isAboutCursor(error)) redirect(303, deliveriesPath(environment, typed));
            throw error;
          })
      : NO_PAGE,
    listEndpointUrls(admin, environment),
  ]);
  const filters = activeDeliveryFilters(typed, {
    environment,
    endpointUrls: new Map(endpoints.map(({ id, url: endpointUrl }) => [id, endpointUrl])),
  });
  return {
    page,
    isFirstPage: cursor === null,
    hasEndpoint: endpoints.length > 0,
    typed,
    errors,
    filters,
    choices: {
      endpoints: endpoints.map(({ id, url: endpointUrl }) => ({ value: id, label: shortenUrl(endpointUrl) })),
      statuses: DELIVERY_STATUSES.map((status) => ({ value: status, label: DELIVERY_STATUS_LABELS[status] })),
      types: PAYMENT_EVENT_TYPES.map((type) => ({ value: type, label: type })),
    },
    now: Date.now(),
  };
};

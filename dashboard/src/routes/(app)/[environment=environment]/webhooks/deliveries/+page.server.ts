import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows } from '#lib/server/access.ts';
import { formAction } from '#lib/server/form-action.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import { orNull } from '#lib/server/or-null.ts';
import { DELIVERY_FILTERS } from '#lib/server/webhooks/delivery-filters.ts';
import { listEndpointUrls } from '#lib/server/webhooks/read-endpoints.ts';
import { selectedDeliveries } from '#lib/server/webhooks/selected-deliveries.ts';
import { resentLabel } from '#lib/webhooks/delivery-labels.ts';
import { shortenUrl } from '#lib/webhooks/shorten-url.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  event.depends(WEBHOOKS_KEY);
  const { admin } = event.locals;
  const { environment } = event.params;
  const endpoints = orNull(listEndpointUrls(admin, environment)).then((found) => found ?? []);
  const list = await loadList(event, {
    part: 'webhooks',
    filters: DELIVERY_FILTERS,
    options: {
      endpoint: endpoints.then((found) =>
        found.map(({ id, url: address }) => ({ value: id, label: shortenUrl(address) })),
      ),
    },
    pageSize: 50,
    call: (page) => admin.call(ADMIN_ROUTES.listDeliveries, { environment, ...page }),
  });
  const { me } = await event.parent();
  return {
    list,
    hasEndpoint: (await endpoints).length > 0,
    mayResend: allows(ADMIN_ROUTES.createEndpoint, me.role, environment),
    now: Date.now(),
  };
};

export const actions = {
  resend: formAction(
    ADMIN_ROUTES.resendDeliveries,
    (form, { params: { environment } }: RequestEvent) => ({
      environment,
      deliveries: selectedDeliveries(form),
    }),
    (result) => ({ done: resentLabel(result) }),
  ),
} satisfies Actions;

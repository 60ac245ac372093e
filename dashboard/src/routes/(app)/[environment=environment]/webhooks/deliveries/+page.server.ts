import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { loadList } from '#lib/server/list/load-list.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { DELIVERY_FILTERS } from '#lib/server/webhooks/delivery-filters.ts';
import { listEndpointUrls } from '#lib/server/webhooks/endpoint-urls.ts';
import { shortenUrl } from '#lib/webhooks/shorten-url.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { admin }, params, url, cookies, depends }) => {
  depends(WEBHOOKS_KEY);
  const { environment } = params;
  const endpoints = pagePart('webhooks', listEndpointUrls(admin, environment)).then((part) =>
    part.ok ? part.data : [],
  );
  const list = await loadList(
    { url, cookies },
    {
      part: 'webhooks',
      filters: DELIVERY_FILTERS,
      options: {
        endpoint: endpoints.then((found) =>
          found.map(({ id, url: address }) => ({ value: id, label: shortenUrl(address) })),
        ),
      },
      pageSize: 50,
      call: (page) => admin.call(ADMIN_ROUTES.listDeliveries, { environment, ...page }),
    },
  );
  return { list, hasEndpoint: (await endpoints).length > 0, now: Date.now() };
};

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { pagePart } from '#lib/server/page-part.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, depends }) => {
  depends(PAYMENTS_KEY);
  const { environment } = params;
  const processors = await pagePart(
    'processors',
    locals.admin.call(ADMIN_ROUTES.listProcessors, { environment }),
  );
  return { processors };
};

import { pagePart } from '#lib/server/page-part.ts';
import { loadEventCatalogue } from '#lib/server/webhooks/event-catalogue.ts';
import { retryRows } from '#lib/server/webhooks/retry-rows.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => ({
  catalogue: await pagePart('webhooks', loadEventCatalogue(locals.admin)),
  retries: retryRows(),
});

import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { fieldRows } from '@tollgate/contracts/platform/schema-fields';
import { pagePart } from '#lib/server/page-part.ts';
import { retryRows } from '#lib/server/webhooks/retry-rows.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => ({
  catalogue: await pagePart('webhooks', loadEventCatalogue(locals.admin)),
  retries: retryRows(),
});

/** Loads the event types with examples and fields. */
async function loadEventCatalogue(admin: AdminClient) {
  const { data } = await admin.call(ADMIN_ROUTES.listEventTypes, {});
  const [first] = data;
  const names = data.map(({ type }) => JSON.stringify(type)).join(', ');
  const rows = first === undefined ? [] : fieldRows(first.schema as object);
  return {
    types: data.map(({ type, description, example }) => ({
      type,
      description,
      example: JSON.stringify(example, null, 2),
    })),
    /** Fields of the event body, from its schema. All types share them; only the type itself differs. */
    fields: rows.map(({ name, type, description }) => ({
      name,
      type: name === 'type' ? names : type,
      description,
    })),
  };
}

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { type FieldRow, fieldRows } from '@tollgate/contracts/schema-fields';
import type { AdminClient } from '#lib/server/admin-client.ts';

export interface EventCatalogue {
  types: { type: string; description: string; example: string }[];
  /** Of the body, by its schema: the same for all types but for the type itself. */
  fields: Omit<FieldRow, 'required'>[];
}

/** What events there are, with examples and fields to be shown. */
export async function loadEventCatalogue(admin: AdminClient): Promise<EventCatalogue> {
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
    fields: rows.map(({ name, type, description }) => ({
      name,
      type: name === 'type' ? names : type,
      description,
    })),
  };
}

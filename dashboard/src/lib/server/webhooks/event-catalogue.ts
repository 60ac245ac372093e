import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { type FieldRow, fieldRows } from '@tollgate/contracts/platform/schema-fields';

export interface EventCatalogue {
  types: { type: string; description: string; example: string }[];
  /** Fields of the event body, from its schema. All types share them; only the type itself differs. */
  fields: Omit<FieldRow, 'required'>[];
}

/** Loads the event types with examples and fields. */
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

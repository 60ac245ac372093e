import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import { type JsonSchema, withoutNull } from '@tollgate/contracts/platform/json-schema';

/** What a control enforces before the form is sent, as its attributes. */
export interface FieldLimits {
  required?: boolean;
  minlength?: number;
  maxlength?: number;
}

/** Limits by form and field. */
export type FormLimits = Record<string, Record<string, FieldLimits>>;

/**
 * The limits of the fields of each form, from the schema with which the service validates the request of its route.
 * `Form` finds them in the data of the page, as `limits`.
 */
export function limitsOf(routes: Record<string, AdminRoute>): FormLimits {
  return Object.fromEntries(
    Object.entries(routes).map(([form, { rpc }]) => [form, fieldLimits(rpc.request)]),
  );
}

function fieldLimits(request: JsonSchema): Record<string, FieldLimits> {
  const limits: Record<string, FieldLimits> = {};
  for (const [name, schema] of Object.entries(request.properties ?? {})) {
    const text: JsonSchema & { minLength?: number; maxLength?: number } = withoutNull(schema);
    if (text.type !== 'string') continue;
    const { minLength = 0, maxLength } = text;
    limits[name] = {
      ...(request.required?.includes(name) && minLength > 0 && { required: true }),
      ...(minLength > 1 && { minlength: minLength }),
      ...(maxLength !== undefined && { maxlength: maxLength }),
    };
  }
  return limits;
}

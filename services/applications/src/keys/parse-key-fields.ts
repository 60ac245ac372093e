import type { Scope } from '@tollgate/contracts/applications/scopes';
import { expiryErrors } from '@tollgate/contracts/platform/expiry';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { type FieldError, Problem } from '@tollgate/contracts/platform/problem';
import { normalizeCidrs } from '@tollgate/security/allowed-cidrs';
import type { Application } from '../applications/application.ts';
import type { KeyEdit } from './api-key.ts';

/** The fields of a key in a request. */
type RequestedFields = Omit<KeyEdit, 'expires_at'> & { expires_at?: string | null };

/**
 * Returns the fields as stored, with a trimmed name and normalized networks; an absent field stays absent. Throws
 * `invalid-request`, which names each invalid field.
 */
export function parseKeyFields<Fields extends RequestedFields>(
  { expires_at, ...fields }: Fields,
  application: Application,
  now: Date,
): Omit<Fields, 'expires_at'> & Pick<KeyEdit, 'expires_at'> {
  const { name, scopes, allowed_cidrs } = fields;
  const { cidrs, errors: cidrErrors } = normalizeCidrs(allowed_cidrs ?? [], '/allowed_cidrs');
  const expiresAt = typeof expires_at === 'string' ? new Date(expires_at) : expires_at;
  const errors = [...scopeErrors(scopes ?? [], application), ...expiryErrors(expiresAt, now), ...cidrErrors];
  if (errors.length > 0)
    throw new Problem('invalid-request', 'The key is not valid. `errors` names the fields.', { errors });
  return {
    ...fields,
    ...(name !== undefined && { name: parseName(name) }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(allowed_cidrs && { allowed_cidrs: cidrs }),
  };
}

function scopeErrors(scopes: Scope[], application: Application): FieldError[] {
  return scopes.flatMap((scope, index) =>
    application.scopes.includes(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'invalid',
            detail: `The application does not have the scope ${scope}.`,
          },
        ],
  );
}

import type { Scope } from '@tollgate/contracts/applications/scopes';
import { expiryErrors } from '@tollgate/contracts/platform/expiry';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { type FieldError, Problem } from '@tollgate/contracts/platform/problem';
import { normalizeCidrs } from '@tollgate/security/allowed-cidrs';
import type { Application } from '../applications/application.ts';

interface KeyFields {
  name?: string | undefined;
  scopes?: readonly Scope[] | null | undefined;
  expiresAt?: Date | null | undefined;
  allowedCidrs?: readonly string[] | undefined;
}

/**
 * Returns the fields with a trimmed name and normalized networks; an absent field stays absent. Throws
 * `invalid-request`, which names each invalid field.
 */
export function parseKeyFields<Fields extends KeyFields>(
  fields: Fields,
  application: Application,
  now: Date,
): Fields {
  const { cidrs, errors: cidrErrors } = normalizeCidrs(fields.allowedCidrs ?? [], '/allowed_cidrs');
  const errors = [...scopeErrors(fields, application), ...expiryErrors(fields.expiresAt, now), ...cidrErrors];
  if (errors.length > 0)
    throw new Problem('invalid-request', 'The key is not valid. `errors` names the fields.', { errors });
  return {
    ...fields,
    ...(fields.name !== undefined && { name: parseName(fields.name) }),
    ...(fields.allowedCidrs && { allowedCidrs: cidrs }),
  };
}

function scopeErrors({ scopes }: KeyFields, application: Application): FieldError[] {
  return (scopes ?? []).flatMap((scope, index) =>
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

import type { ApiKey, Application } from '@tollgate/contracts/applications/application';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { KeyFormValues } from '#lib/applications/key-form-values.ts';
import { endOfDay, readCidrs, readExpiryDay } from '#lib/server/credentials/restrictions.ts';
import type { Form } from '#lib/server/form.ts';
import { dayIn } from '#lib/server/zoned-time.ts';

/** What the form shows of a key: a day stands for its expiry, and scopes that the application lost are absent. */
export function keyFormValues(key: ApiKey, application: Application, timeZone: string): KeyFormValues {
  return {
    name: key.name,
    scopes: key.scopes?.filter((scope) => application.scopes.includes(scope)) ?? null,
    expiresOn: key.expires_at === null ? '' : dayIn(timeZone, Date.parse(key.expires_at)),
    allowedCidrs: key.allowed_cidrs,
  };
}

/** Rejects the form when a field must be corrected. */
export function readKeyForm(form: Form, timeZone: string): KeyFormValues {
  const name = form.required('name', 'Enter a name.');
  const scopes = form.text('scopes_choice') === 'some' ? (form.all('scopes') as Scope[]) : null;
  if (scopes?.length === 0)
    form.reject('scopes', 'Select at least one scope, or inherit all application scopes.');
  const expiresOn = readExpiryDay(form, timeZone);
  return { name, scopes, expiresOn, allowedCidrs: readCidrs(form.text('allowed_cidrs')) };
}

/**
 * The fields that differ from those that the form showed. Only these are sent: an unchanged day must not move the exact
 * time of expiry.
 */
export function changedKeyFields(shown: KeyFormValues, typed: KeyFormValues, timeZone: string) {
  const isSame = (a: readonly string[] | null, b: readonly string[] | null) =>
    a?.toSorted().join() === b?.toSorted().join();
  return {
    ...(typed.name !== shown.name && { name: typed.name }),
    ...(!isSame(typed.scopes, shown.scopes) && { scopes: typed.scopes }),
    ...(typed.expiresOn !== shown.expiresOn && { expires_at: endOfDay(typed.expiresOn, timeZone) }),
    ...(!isSame(typed.allowedCidrs, shown.allowedCidrs) && { allowed_cidrs: typed.allowedCidrs }),
  };
}

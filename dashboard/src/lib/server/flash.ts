import { type Cookies, redirect } from '@sveltejs/kit';

/** What a form has done, for the page that it redirects to. */
type Flash =
  | 'application-deleted'
  | 'endpoint-added'
  | 'endpoint-saved'
  | 'endpoint-deleted'
  | 'key-saved'
  | 'passkey-added'
  | 'password-set'
  | 'signed-out'
  | 'left-team';

const COOKIE = 'flash';
/** Enough for a redirect. */
const MAX_AGE_S = 60;

/**
 * Redirects to a page that shows what a form has done. The flash is a cookie and not a query, so that a reload or a bookmark does not
 * repeat the notice.
 */
export function redirectWithFlash(
  { cookies, locals }: { cookies: Cookies; locals: App.Locals },
  flash: Flash,
  location: string,
): never {
  cookies.set(COOKIE, flash, { maxAge: MAX_AGE_S, sameSite: 'lax', secure: locals.secure });
  redirect(303, location);
}

/** Returns the flash if it is one that this page shows. It is returned once. */
export function takeFlash<Shown extends Flash>(cookies: Cookies, shown: readonly Shown[]): Shown | null {
  const set = cookies.get(COOKIE);
  const flash = shown.find((candidate) => candidate === set) ?? null;
  if (flash !== null) cookies.delete(COOKIE);
  return flash;
}

import type { Cookies } from '@sveltejs/kit';

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

/** Before a redirect: a cookie and not a query, so that a reload or a bookmark does not repeat the notice. */
export function setFlash({ cookies, locals }: { cookies: Cookies; locals: App.Locals }, flash: Flash): void {
  cookies.set(COOKIE, flash, { maxAge: MAX_AGE_S, sameSite: 'lax', secure: locals.secure });
}

/** Returns the flash if it is one that this page shows. It is returned once. */
export function takeFlash<Shown extends Flash>(cookies: Cookies, shown: readonly Shown[]): Shown | null {
  const set = cookies.get(COOKIE);
  const flash = shown.find((candidate) => candidate === set) ?? null;
  if (flash !== null) cookies.delete(COOKIE);
  return flash;
}

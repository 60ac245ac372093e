/** Longer chains would be a loop. */
const MAX_STEPS = 10;

/**
 * Follows an authorization like a browser, with cookies, and submits the sign-in page. Returns the first address outside of the
 * provider, which is the callback.
 *
 * @param cookies of the browser, which has a session at the provider after the first sign-in; a new browser by default
 */
export async function signInAt(
  authorizationUrl: string,
  sub: string,
  cookies: Map<string, string> = new Map(),
): Promise<URL> {
  const { origin } = new URL(authorizationUrl);
  let next = new URL(authorizationUrl);
  for (let step = 0; step < MAX_STEPS; step++) {
    if (next.origin !== origin) return next;
    const isForm = next.pathname.startsWith('/interaction/');
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(isForm && { method: 'POST', body: new URLSearchParams({ sub }) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The provider responded with ${response.status}: ${await response.text()}`);
    next = new URL(location, next);
  }
  throw new Error('The provider redirects in a loop.');
}

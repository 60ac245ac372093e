import type { Cookies } from '@sveltejs/kit';
import type { Sealer } from './sealing.ts';

/** The session of the admin API that a browser's cookie stands for. */
export interface Session {
  token: string;
}

/** Cookies of one browser that hold something sealed. `secure` is whether the dashboard is reached by https. */
export interface SealedCookieDeps {
  cookies: Cookies;
  sealer: Sealer;
  secure: boolean;
}

/**
 * The prefix makes browsers refuse the cookie unless this host set it over https for all its paths (RFC 6265bis §4.1.3.2),
 * so that no neighbouring subdomain can plant a session.
 */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Host-tollgate_${name}` : `tollgate_${name}`;
}

export async function readSession({ cookies, sealer, secure }: SealedCookieDeps): Promise<Session | null> {
  const sealed = cookies.get(cookieName('session', secure));
  return sealed === undefined ? null : sealer.open<Session>('session', sealed);
}

/** `expiresAt` is the session's own end; a session that idles ends earlier, at the server. */
export async function writeSession(
  { cookies, sealer, secure }: SealedCookieDeps,
  session: Session,
  expiresAt: Date,
): Promise<void> {
  cookies.set(cookieName('session', secure), await sealer.seal('session', session, expiresAt), {
    ...cookieOptions(secure),
    maxAge: Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000)),
  });
}

export function clearSession({ cookies, secure }: Pick<SealedCookieDeps, 'cookies' | 'secure'>): void {
  cookies.delete(cookieName('session', secure), cookieOptions(secure));
}

export function cookieOptions(secure: boolean) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

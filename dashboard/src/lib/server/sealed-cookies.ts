import type { Cookies } from '@sveltejs/kit';
import type { Sealer } from './sealing.ts';

/** The session of the admin API that a browser's cookie stands for. */
export interface Session {
  token: string;
}

/**
 * What was typed in the first step of a sign-in, until the code of the second: the admin API takes all of it in one call,
 * and a password must not travel through a page. Only this server can read it, for five minutes.
 */
export interface SignInAttempt {
  email: string;
  password: string;
}

/** An authenticator app being enrolled, until the first code proves that the app has the secret. */
export interface TotpEnrolment {
  memberId: string;
  /** Base32. */
  secret: string;
  /** The same as an `otpauth://` address. */
  uri: string;
}

/** What each sealed cookie holds. */
export interface SealedValues {
  session: Session;
  'second-factor': SignInAttempt;
  'totp-enrolment': TotpEnrolment;
}

/** Cookies of one browser that it can neither read nor change. */
export interface SealedCookies {
  /** Null when there is none, it has expired, or it is not one of ours. */
  read<Purpose extends keyof SealedValues>(purpose: Purpose): Promise<SealedValues[Purpose] | null>;
  write<Purpose extends keyof SealedValues>(
    purpose: Purpose,
    value: SealedValues[Purpose],
    expiresAt: Date,
  ): Promise<void>;
  clear(purpose: keyof SealedValues): void;
}

/** `secure` is whether the dashboard is reached by https: over http browsers drop a cookie that says so. */
export function createSealedCookies(cookies: Cookies, sealer: Sealer, secure: boolean): SealedCookies {
  // Lax and not Strict: anyone who follows a link to a payment from a chat is signed in there, too.
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    async read(purpose) {
      const sealed = cookies.get(cookieName(purpose, secure));
      return sealed === undefined ? null : sealer.open(purpose, sealed);
    },
    async write(purpose, value, expiresAt) {
      cookies.set(cookieName(purpose, secure), await sealer.seal(purpose, value, expiresAt), {
        ...options,
        maxAge: Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000)),
      });
    },
    clear: (purpose) => cookies.delete(cookieName(purpose, secure), options),
  };
}

/**
 * The prefix makes browsers reject the cookie unless this very host set it over https for all its paths (RFC 6265bis
 * §4.1.3.2), so that no neighbouring subdomain can plant a session.
 */
function cookieName(purpose: keyof SealedValues, secure: boolean): string {
  const name = `tollgate_${purpose.replaceAll('-', '_')}`;
  return secure ? `__Host-${name}` : name;
}

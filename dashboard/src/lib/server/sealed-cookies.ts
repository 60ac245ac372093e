import type { Cookies } from '@sveltejs/kit';
import type { SecondFactorName } from '@tollgate/contracts/accounts/passkey';
import type { Sealer } from './sealing.ts';

/** Devices are known per member: two members may share a browser. */
export interface KnownDevice {
  email: string;
  /** The token from the member's last sign-in with this browser. */
  token: string;
}

/** The content of each sealed cookie. */
export interface SealedValues {
  /** The admin API session that a browser's cookie holds. */
  session: { token: string };
  /** Stays when a member signs out. The latest first. */
  devices: KnownDevice[];
  /**
   * The input of the first sign-in step, kept until the second step submits the code: the admin API takes both in one
   * call, and a password must not pass through a page. Only this server can read it, for five minutes.
   */
  'second-factor': {
    email: string;
    password: string;
    /** What the member can complete the sign-in with. */
    factors: readonly SecondFactorName[];
  };
  /** A sign-in at an identity provider, until the browser returns from it. */
  'single-sign-on': {
    /** Proves that this browser started it. */
    token: string;
    /** The page to show afterwards. */
    next: string;
    /** Whether a signed-in member confirms their identity. */
    isConfirmation: boolean;
  };
  /** An authenticator app during enrollment, until the first code proves that the app has the secret. */
  'totp-enrolment': {
    memberId: string;
    /** Base32. */
    secret: string;
    /** The same secret as an `otpauth://` URI. */
    uri: string;
  };
}

type Purpose = keyof SealedValues;
export type SealedCookies = ReturnType<typeof createSealedCookies>;

/** Cookies that the browser can neither read nor change. `secure` is whether the dashboard is served over https: over http browsers drop `Secure` cookies. */
export function createSealedCookies(cookies: Cookies, sealer: Sealer, secure: boolean) {
  // Lax rather than Strict: a member who follows a link from a chat must be signed in there, too.
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return {
    /** Null when the cookie is missing, expired or not sealed by this dashboard. */
    async read<Of extends Purpose>(purpose: Of): Promise<SealedValues[Of] | null> {
      const sealed = cookies.get(cookieName(purpose, secure));
      return sealed === undefined ? null : sealer.open(purpose, sealed);
    },
    async write<Of extends Purpose>(purpose: Of, value: SealedValues[Of], expiresAt: Date) {
      cookies.set(cookieName(purpose, secure), await sealer.seal(purpose, value, expiresAt), {
        ...options,
        maxAge: Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000)),
      });
    },
    clear: (purpose: Purpose) => cookies.delete(cookieName(purpose, secure), options),
  };
}

/**
 * The prefix makes browsers reject the cookie unless this host set it over https for all its paths (RFC 6265bis
 * §4.1.3.2), so that no sibling subdomain can plant a session.
 */
function cookieName(purpose: Purpose, secure: boolean): string {
  const name = `tollgate_${purpose.replaceAll('-', '_')}`;
  return secure ? `__Host-${name}` : name;
}

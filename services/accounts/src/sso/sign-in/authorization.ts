import { hkdfSync } from 'node:crypto';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { newOpaqueToken } from '../../opaque-token.ts';
import type { ResponseBinding } from '../provider/identity-providers.ts';
import type { Provider } from '../settings/sso-settings.ts';

/** Enough to sign in at the provider with a second factor. */
const LIFETIME_MS = 10 * MINUTE_MS;
const DERIVED_BYTES = 32;

/** A sign-in at a provider that has started. It is used up when the response arrives, and deleted when it expires. */
export interface Authorization {
  /** Digest of the `state` parameter, which identifies the sign-in in the response. */
  readonly stateDigest: string;
  /** Digest of the token in the browser that started the sign-in. */
  readonly browserTokenDigest: string;
  readonly teamId: string;
  /** The client that the browser was sent to. */
  readonly issuer: string;
  readonly clientId: string;
  /** Whether the person must authenticate, whatever session the provider has: to confirm their identity. */
  readonly mustAuthenticateAgain: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export function newAuthorization(
  {
    teamId,
    provider,
    mustAuthenticateAgain,
  }: { teamId: string; provider: Provider; mustAuthenticateAgain: boolean },
  now: Date,
): { authorization: Authorization; browserToken: string; binding: ResponseBinding } {
  const state = newOpaqueToken();
  const browser = newOpaqueToken();
  const authorization = {
    stateDigest: state.digest,
    browserTokenDigest: browser.digest,
    teamId,
    issuer: provider.issuer,
    clientId: provider.clientId,
    mustAuthenticateAgain,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
  };
  return { authorization, browserToken: browser.token, binding: bindingOf(browser.token, state.token) };
}

/**
 * The nonce and the PKCE verifier derive from the token of the browser, so that the database cannot complete a sign-in: it has
 * only digests.
 */
export function bindingOf(browserToken: string, state: string): ResponseBinding {
  return {
    state,
    nonce: derived(browserToken, 'nonce'),
    codeVerifier: derived(browserToken, 'code verifier'),
  };
}

function derived(browserToken: string, purpose: string): string {
  const bytes = hkdfSync('sha256', browserToken, '', `tollgate single sign-on ${purpose}`, DERIVED_BYTES);
  return Buffer.from(bytes).toString('base64url');
}

import { hkdfSync } from 'node:crypto';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { RECORD_OPTIONS } from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';
import { newOpaqueToken } from '../../opaque-token.ts';
import type { ResponseBinding } from '../provider/identity-providers.ts';

/** Enough to sign in at the provider with a second factor. */
const LIFETIME_MS = 10 * MINUTE_MS;
const DERIVED_BYTES = 32;

const definition = {
  /** Digest of the `state` parameter, which identifies the sign-in in the response. */
  _id: { type: String, required: true },
  /** Digest of the token in the browser that started the sign-in. */
  browser_token_digest: { type: String, required: true },
  /** Set once the response arrived: no browser can use it again. */
  is_used: { type: Boolean, required: true },
  team_id: { type: String, required: true },
  /** The client that the browser was sent to. */
  issuer: { type: String, required: true },
  client_id: { type: String, required: true },
  /** Whether the person must authenticate, whatever session the provider has: to confirm their identity. */
  must_authenticate_again: { type: Boolean, required: true },
  created_at: { type: Date, required: true },
  expires_at: { type: Date, required: true },
} as const;

/** A sign-in at a provider that has started. It is used up when the response arrives, and deleted when it expires. */
export type Authorization = InferRawDocType<typeof definition>;

export const authorizationSchema = new Schema(definition, {
  ...RECORD_OPTIONS,
  collection: 'sso_authorizations',
});

export const SSO_AUTHORIZATION_INDEXES: readonly IndexDeclaration[] = [
  { key: { expires_at: 1 }, purpose: 'Finds expired authorizations' },
];

export function newAuthorization(
  fields: Pick<Authorization, 'team_id' | 'issuer' | 'client_id' | 'must_authenticate_again'>,
  now: Date,
): { authorization: Authorization; browserToken: string; binding: ResponseBinding } {
  const state = newOpaqueToken();
  const browser = newOpaqueToken();
  const authorization = {
    ...fields,
    _id: state.digest,
    browser_token_digest: browser.digest,
    is_used: false,
    created_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
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

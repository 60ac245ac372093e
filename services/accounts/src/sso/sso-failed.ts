import { Problem } from '@tollgate/contracts/platform/problem';

/** Why a sign-in with single sign-on failed, as the audit log names it. The guide about single sign-on explains each. */
export type SsoFailureReason =
  | 'account_not_ready'
  | 'authorization_expired'
  | 'authorization_unknown'
  | 'connection_denied'
  | 'installation_admin'
  | 'invalid_response'
  | 'invalid_time'
  | 'no_authentication_time'
  | 'no_email'
  | 'no_role'
  | 'not_invited'
  | 'old_authentication'
  | 'other_browser'
  | 'other_identity'
  | 'provider_changed'
  | 'provider_denied'
  | 'provider_unavailable'
  | 'removed_member'
  | 'replayed'
  | 'request_rejected'
  | 'unverified_domain'
  | 'unverified_email'
  | 'wrong_issuer';

/** A sign-in with single sign-on that is rejected. Callers see the detail, and the audit log the reason. */
export class SsoFailed extends Problem {
  readonly reason: SsoFailureReason;

  constructor(reason: SsoFailureReason, detail: string) {
    super('sso-failed', detail);
    this.reason = reason;
  }
}

/** @param detail says what happened and what the person can do; it never contains what a provider or a caller wrote */
export function ssoFailed(reason: SsoFailureReason, detail: string): SsoFailed {
  return new SsoFailed(reason, detail);
}

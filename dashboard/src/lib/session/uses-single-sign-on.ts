import type { Me } from '@tollgate/contracts/accounts/account';

/** Whether a password, if there is one, does not confirm the identity of the member. */
export function usesSingleSignOn(me: Pick<Me, 'has_password' | 'sso_required'>): boolean {
  return !me.has_password || me.sso_required;
}

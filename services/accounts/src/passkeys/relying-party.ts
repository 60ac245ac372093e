/** Who browsers create passkeys for (WebAuthn §4): the site of the dashboard. */
export interface RelyingParty {
  /** The host name. A passkey works for no other. */
  id: string;
  /** Shown by browsers. */
  name: string;
  /** Where the script runs that asks for a passkey. */
  origin: string;
}

export function relyingPartyOf(dashboardUrl: string): RelyingParty {
  const { hostname, origin } = new URL(dashboardUrl);
  return { id: hostname, name: 'Tollgate', origin };
}

/** What a provider states about the person who signed in. */
export interface Identity {
  issuer: string;
  /** The person's permanent id at the issuer (OpenID Connect Core 1.0 §5.7). */
  subject: string;
  /** As the provider writes it. */
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  /** When the person authenticated at the provider; null when it does not say. */
  authenticatedAt: Date | null;
  /** All claims, for the role mapping. */
  claims: Readonly<Record<string, unknown>>;
}

/** A client of one provider. */
export interface ProviderClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** What binds the response of a provider to one authorization in one browser. */
export interface ResponseBinding {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The only place that speaks OpenID Connect. */
export interface IdentityProviders {
  /** Whether an issuer may use http: only in development. */
  readonly allowsHttp: boolean;
  /** Reads the discovery document of an issuer. Throws `invalid-request` with what is wrong with the issuer. */
  checkIssuer(issuer: string): Promise<void>;
  /** The page of the provider to send the browser to. Throws `sso-failed`. */
  authorizationUrl(
    client: ProviderClient,
    binding: ResponseBinding,
    person: { email: string; mustAuthenticateAgain: boolean },
  ): Promise<string>;
  /**
   * Exchanges the response for the identity of the person. Throws `sso-failed`, also when the person had to authenticate again and did
   * not.
   *
   * @param response the query of the callback
   * @param claimNames claims besides the standard ones that the caller needs
   */
  identify(
    client: ProviderClient,
    binding: ResponseBinding,
    received: {
      response: string;
      startedAt: Date;
      mustAuthenticateAgain: boolean;
      claimNames: readonly string[];
    },
  ): Promise<Identity>;
  /** Closes the connections. */
  close(): Promise<void>;
}

import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../../context.ts';
import { normalizeEmail } from '../../members/email.ts';
import { domainOfEmail } from '../settings/domain-name.ts';
import { newAuthorization } from './authorization.ts';
import { providerClient } from './provider-client.ts';

export interface StartedSso {
  authorizationUrl: string;
  /** Stored in the browser, and nowhere else. */
  browserToken: string;
  expiresAt: Date;
}

/**
 * Starts a sign-in at the provider of the team that verified the domain of the email. Whether the email has an account makes no
 * difference. Throws `not-found` for a domain without single sign-on, and `sso-failed`.
 */
export async function startSso(
  context: Context,
  { email, mustAuthenticateAgain }: { email: string; mustAuthenticateAgain: boolean },
): Promise<StartedSso> {
  const normalized = normalizeEmail(email);
  const domain = domainOfEmail(normalized);
  const settings = domain === null ? null : await context.ssoSettings.findByVerifiedDomain(domain);
  if (!settings?.provider) {
    throw new Problem(
      'not-found',
      'No team uses single sign-on for this email. Sign in with your password, or ask an owner of your team.',
    );
  }
  const { teamId, provider } = settings;
  const now = new Date(context.clock.now());
  const { authorization, browserToken, binding } = newAuthorization(
    { teamId, provider, mustAuthenticateAgain },
    now,
  );
  const authorizationUrl = await context.identityProviders.authorizationUrl(
    providerClient(context, teamId, provider),
    binding,
    { email: normalized, mustAuthenticateAgain },
  );
  await context.ssoAuthorizations.insert(authorization);
  return { authorizationUrl, browserToken, expiresAt: authorization.expiresAt };
}

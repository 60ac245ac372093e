import type { startSingleSignOn as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import { normalizeEmail } from '../../members/email.ts';
import { domainOfEmail } from '../settings/domain-name.ts';
import { newAuthorization } from './authorization.ts';
import { providerClient } from './provider-client.ts';

/**
 * Starts a sign-in at the provider of the team that verified the domain of the email. Whether the email has an account makes no
 * difference. Throws `not-found` for a domain without single sign-on, and `sso-failed`.
 */
export async function startSso(
  context: Context,
  { email, must_authenticate_again = false }: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  const normalized = normalizeEmail(email);
  const domain = domainOfEmail(normalized);
  const settings = domain === null ? null : await context.ssoSettings.findByVerifiedDomain(domain);
  if (!settings?.provider) {
    throw new Problem(
      'not-found',
      'No team uses single sign-on for this email. Sign in with your password, or ask an owner of your team.',
    );
  }
  const { team_id, provider } = settings;
  const { issuer, client_id } = provider;
  const { authorization, browserToken, binding } = newAuthorization(
    { team_id, issuer, client_id, must_authenticate_again },
    new Date(context.clock.now()),
  );
  const authorization_url = await context.identityProviders.authorizationUrl(
    providerClient(context, team_id, provider),
    binding,
    { email: normalized, mustAuthenticateAgain: must_authenticate_again },
  );
  await context.ssoAuthorizations.insert(authorization);
  const expires_at = authorization.expires_at.toISOString();
  return { authorization_url, browser_token: browserToken, expires_at };
}

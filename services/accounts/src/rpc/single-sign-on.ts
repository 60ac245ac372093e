import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/accounts/rpc';
import type { Context } from '../context.ts';
import { addDomain, removeDomain, verifyDomain } from '../sso/settings/change-domains.ts';
import { findOwnedTeam } from '../sso/settings/change-sso-settings.ts';
import { removeSso } from '../sso/settings/remove-sso.ts';
import { setSso } from '../sso/settings/set-sso.ts';
import { singleSignOnToWire } from './wire.ts';

/** Methods for single sign-on of the team. Only owners may call them. */
export function serveSingleSignOnRpc(serve: ServeRpc, context: Context) {
  const { dashboardUrl } = context;
  return [
    serve(contract.getSingleSignOn, async (_request, { actor }) => {
      const team = await findOwnedTeam(context, actor);
      return singleSignOnToWire(await context.ssoSettings.find(team.id), dashboardUrl);
    }),
    serve(contract.setSingleSignOn, async (request, { actor }) => {
      const settings = await setSso(context, actor, {
        ifVersion: request.if_version,
        issuer: request.issuer,
        clientId: request.client_id,
        clientSecret: request.client_secret,
        roles: {
          claim: request.role_claim,
          rules: request.role_rules,
          defaultRole: request.default_role,
        },
        isRequired: request.is_required,
      });
      return singleSignOnToWire(settings, dashboardUrl);
    }),
    serve(contract.removeSingleSignOn, async ({ if_version: ifVersion }, { actor }) => {
      await removeSso(context, actor, { ifVersion });
      return {};
    }),
    serve(contract.addSingleSignOnDomain, async ({ domain }, { actor }) =>
      singleSignOnToWire(await addDomain(context, actor, domain), dashboardUrl),
    ),
    serve(contract.verifySingleSignOnDomain, async ({ domain }, { actor }) =>
      singleSignOnToWire(await verifyDomain(context, actor, domain), dashboardUrl),
    ),
    serve(contract.removeSingleSignOnDomain, async ({ domain }, { actor }) => {
      await removeDomain(context, actor, domain);
      return {};
    }),
  ];
}

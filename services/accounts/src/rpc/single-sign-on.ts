import { type Handlers, nothing } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import type { Context } from '../context.ts';
import { addDomain, removeDomain, verifyDomain } from '../sso/settings/change-domains.ts';
import { findOwnedTeam } from '../sso/settings/change-sso-settings.ts';
import { removeSso, setSso } from '../sso/settings/set-sso.ts';
import type { SsoSettings } from '../sso/settings/sso-settings.ts';
import { singleSignOnToWire } from './wire.ts';

/** Methods for single sign-on of the team. Only owners may call them. */
export function singleSignOnHandlers(context: Context) {
  const wire = (settings: SsoSettings) => singleSignOnToWire(settings, context.dashboardUrl);
  return {
    async getSingleSignOn(_request, { actor }) {
      const team = await findOwnedTeam(context, actor);
      return wire(await context.ssoSettings.find(team._id));
    },
    setSingleSignOn: async (request, { actor }) => wire(await setSso(context, actor, request)),
    removeSingleSignOn: (request, { actor }) => nothing(removeSso(context, actor, request)),
    addSingleSignOnDomain: async (request, { actor }) => wire(await addDomain(context, actor, request)),
    verifySingleSignOnDomain: async (request, { actor }) => wire(await verifyDomain(context, actor, request)),
    removeSingleSignOnDomain: (request, { actor }) => nothing(removeDomain(context, actor, request)),
  } satisfies Partial<Handlers<typeof contract>>;
}

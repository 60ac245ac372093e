import { type Handlers, nothing } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { findActingMember } from '../access/acting-member.ts';
import { requireRoleToRead } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { addDomain, removeDomain, verifyDomain } from '../sso/settings/change-domains.ts';
import { removeSso, setSso } from '../sso/settings/set-sso.ts';
import type { SsoSettings } from '../sso/settings/sso-settings.ts';
import { singleSignOnToWire } from './wire.ts';

/** Methods for single sign-on of the team. Only owners may change them. */
export function singleSignOnHandlers(context: Context) {
  const wire = (settings: SsoSettings) => singleSignOnToWire(settings, context.dashboardUrl);
  return {
    async getSingleSignOn(_request, { actor }) {
      const { team } = await findActingMember(context, actor);
      requireRoleToRead(team, actor, 'owner', 'read the settings of single sign-on');
      return wire(await context.ssoSettings.find(team._id));
    },
    setSingleSignOn: async (request, { actor }) => wire(await setSso(context, actor, request)),
    removeSingleSignOn: (request, { actor }) => nothing(removeSso(context, actor, request)),
    addSingleSignOnDomain: async (request, { actor }) => wire(await addDomain(context, actor, request)),
    verifySingleSignOnDomain: async (request, { actor }) => wire(await verifyDomain(context, actor, request)),
    removeSingleSignOnDomain: (request, { actor }) => nothing(removeDomain(context, actor, request)),
  } satisfies Partial<Handlers<typeof contract>>;
}

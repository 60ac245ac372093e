import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows, requireAccess } from '#lib/server/access.ts';
import type { Form } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readRoleMapping } from '#lib/server/sso/role-mapping-form.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.getSingleSignOn, 'Reading the settings of single sign-on', me.role);
  return {
    settings: await locals.admin.call(ADMIN_ROUTES.getSingleSignOn, {}),
    mayChange: allows(ADMIN_ROUTES.setSingleSignOn, me.role),
  };
};

export const actions = {
  provider: formAction(
    ADMIN_ROUTES.setSingleSignOn,
    async (form, { locals }) => ({
      ...(await readSettings(locals)),
      issuer: form.text('issuer'),
      client_id: form.text('client_id'),
      client_secret: form.secret('client_secret') || undefined,
    }),
    'Identity provider saved. Sign in with it to test the settings.',
  ),

  roles: formAction(
    ADMIN_ROUTES.setSingleSignOn,
    async (form, { locals }) => ({ ...(await readSettings(locals)), ...readRoleMapping(form) }),
    'Roles saved. They apply from the next sign-in of each member.',
  ),

  required: formAction(
    ADMIN_ROUTES.setSingleSignOn,
    async (form, { locals }) => ({ ...(await readSettings(locals)), is_required: form.has('is_required') }),
    (_, form) => ({
      done: form.has('is_required')
        ? 'Members other than owners can now sign in with single sign-on only.'
        : 'Members can sign in with a password again.',
    }),
  ),

  addDomain: formAction(
    ADMIN_ROUTES.addSingleSignOnDomain,
    (form) => ({ domain: form.text('domain') }),
    'Domain added. Create the DNS record, then verify the domain.',
  ),

  verifyDomain: formAction(ADMIN_ROUTES.verifySingleSignOnDomain, readDomain, (_, form) => ({
    done: `${form.text('domain_name')} is verified.`,
  })),

  removeDomain: formAction(ADMIN_ROUTES.removeSingleSignOnDomain, readDomain, (_, form) => ({
    done: `${form.text('domain_name')} is removed. Its members can no longer use single sign-on.`,
  })),

  remove: formAction(ADMIN_ROUTES.removeSingleSignOn, () => ({}), 'Single sign-on is turned off.'),
} satisfies Actions;

function readDomain(form: Form) {
  return { domain: form.text('domain_name') };
}

/** Each card changes a part of the settings, which the admin API replaces as a whole. */
async function readSettings({ admin }: App.Locals) {
  const current = await admin.call(ADMIN_ROUTES.getSingleSignOn, {});
  const { role_claim, role_rules, default_role, is_required } = current;
  const { issuer = '', client_id = '' } = current.provider ?? {};
  return { issuer, client_id, role_claim, role_rules, default_role, is_required };
}

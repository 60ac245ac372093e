import { error } from '@sveltejs/kit';
import type { SingleSignOn } from '@tollgate/contracts/accounts/single-sign-on';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { type Form, failForm, readForm, submitForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readRoleMapping } from '#lib/server/sso/role-mapping-form.ts';
import type { Actions, PageServerLoad } from './$types';

type Settings = Pick<SingleSignOn, 'role_claim' | 'role_rules' | 'default_role' | 'is_required'> & {
  issuer: string;
  client_id: string;
  client_secret?: string;
};

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (!roleAllows(ADMIN_ROUTES.getSingleSignOn.access, me.role, 'live')) {
    error(403, {
      message:
        'Reading the settings of single sign-on requires the owner or auditor role. Ask an owner of your team.',
      requestId: locals.requestId,
    });
  }
  return {
    settings: await locals.admin.call(ADMIN_ROUTES.getSingleSignOn, {}),
    mayChange: roleAllows(ADMIN_ROUTES.setSingleSignOn.access, me.role, 'live'),
  };
};

export const actions = {
  provider: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const secret = form.secret('client_secret');
      await save(locals, form, {
        issuer: form.text('issuer'),
        client_id: form.text('client_id'),
        ...(secret !== '' && { client_secret: secret }),
      });
      return { done: 'Identity provider saved. Sign in with it to test the settings.' };
    });
  },

  roles: async ({ request, locals }) => {
    const form = await readForm(request);
    const read = readRoleMapping(form);
    if ('errors' in read) return failForm(form, 400, { errors: read.errors });
    return submitForm(form, async () => {
      await save(locals, form, read.mapping);
      return { done: 'Roles saved. They apply from the next sign-in of each member.' };
    });
  },

  required: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const isRequired = form.has('is_required');
      await save(locals, form, { is_required: isRequired });
      return {
        done: isRequired
          ? 'Members other than owners can now sign in with single sign-on only.'
          : 'Members can sign in with a password again.',
      };
    });
  },

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
async function save({ admin }: App.Locals, form: Form, change: Partial<Settings>): Promise<void> {
  const current = await admin.call(ADMIN_ROUTES.getSingleSignOn, {});
  const { role_claim, role_rules, default_role, is_required } = current;
  const { issuer = '', client_id = '' } = current.provider ?? {};
  await admin.call(
    ADMIN_ROUTES.setSingleSignOn,
    { issuer, client_id, role_claim, role_rules, default_role, is_required, ...change },
    { ifMatch: form.version() },
  );
}

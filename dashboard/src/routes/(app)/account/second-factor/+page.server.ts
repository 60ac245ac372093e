import { redirect } from '@sveltejs/kit';
import type { Me } from '@tollgate/contracts/accounts/account';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { qrCode } from '#lib/people/qr-code.ts';
import { hasSecondFactor } from '#lib/people/second-factor.ts';
import type { Form } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import type { Actions, PageServerLoad } from './$types';

/** Enough time to install and set up an app. */
const ENROLMENT_MS = 15 * 60 * 1000;

export const load: PageServerLoad = async ({ locals, parent, url }) => {
  const { me, now } = await parent();
  const from = me.team.second_factor_required_from ?? null;
  return {
    next: safeNextPath(url.searchParams.get('next') ?? '/account'),
    isRequired: from !== null,
    /** The member must set up a second factor before anything else. */
    isDue: from !== null && Date.parse(from) <= now && !hasSecondFactor(me),
    enrolment: await readEnrolment(locals, me),
  };
};

async function readEnrolment(locals: App.Locals, me: Me) {
  const enrolment = await locals.sealedCookies.read('totp-enrolment');
  // On a shared computer the enrollment may belong to the previous member.
  if (enrolment === null || enrolment.memberId !== me.id || me.totp_enabled) return null;
  const secret = enrolment.secret.match(/.{1,4}/g)?.join(' ') ?? enrolment.secret;
  return { qrCode: qrCode(enrolment.uri), secret };
}

export const actions = {
  start: formAction(ADMIN_ROUTES.startTotp, passwordOf, async ({ secret, uri }, _, { locals }) => {
    const { id: memberId } = await locals.admin.call(ADMIN_ROUTES.getMe, {});
    const expiresAt = new Date(Date.now() + ENROLMENT_MS);
    await locals.sealedCookies.write('totp-enrolment', { memberId, secret, uri }, expiresAt);
    return {};
  }),

  confirm: formAction(
    ADMIN_ROUTES.confirmTotp,
    (form) => ({ totp: form.text('totp') }),
    ({ recovery_codes }, _, { locals }) => {
      locals.sealedCookies.clear('totp-enrolment');
      return recovery_codes.length > 0
        ? { done: 'Two-factor authentication is on.', recoveryCodes: recovery_codes }
        : { done: 'Authenticator app added.' };
    },
  ),

  cancel: ({ locals }) => {
    locals.sealedCookies.clear('totp-enrolment');
    redirect(303, '/account');
  },

  replaceRecoveryCodes: formAction(ADMIN_ROUTES.replaceRecoveryCodes, passwordOf, ({ recovery_codes }) => ({
    done: 'New recovery codes created. The old codes no longer work.',
    recoveryCodes: recovery_codes,
  })),

  disable: formAction(
    ADMIN_ROUTES.disableTotp,
    passwordOf,
    'Authenticator app removed. Delete Tollgate from the app as well.',
  ),
} satisfies Actions;

function passwordOf(form: Form) {
  return { current_password: form.secret('current_password') };
}

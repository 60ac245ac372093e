import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { takeFlash } from '#lib/server/flash.ts';
import { type Form, failForm, readForm, submitForm } from '#lib/server/form.ts';
import { isSetUp } from '#lib/server/installation.ts';
import { readAssertion } from '#lib/server/passkeys/read-credential.ts';
import { signIn, signInWithPasskey } from '#lib/server/sign-in.ts';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import type { Actions, PageServerLoad } from './$types';

/** Enough time to find the phone with the authenticator app. */
const SECOND_STEP_MS = 5 * 60 * 1000;

export const load: PageServerLoad = async ({ locals, cookies, url }) => {
  const next = safeNextPath(url.searchParams.get('next'));
  if (locals.session !== null) redirect(303, next);
  if (!(await isSetUp(locals.admin))) redirect(303, '/setup');
  const attempt = await locals.sealedCookies.read('second-factor');
  return {
    next,
    /** Set in the second step: the member who must prove a second factor, and with what. */
    attempt: attempt && { by: attempt.email, factors: attempt.factors },
    flash: takeFlash(cookies, ['password-set', 'signed-out', 'left-team']),
  };
};

const NO_PASSKEY = 'The browser sent no passkey. Try again, or sign in with your password.';
const NOT_REGISTERED =
  'This passkey was not accepted: it was removed, or it took more than five minutes. Try again, or sign in with your password.';
const NOT_OF_ACCOUNT =
  'This passkey was not accepted: it is not one of this account, or it took more than five minutes. Try again.';
const WRONG_PASSWORD =
  'Incorrect password. If you have several accounts with this email, enter the password of this one.';

export const actions = {
  /** First step, and the only one without two-factor authentication. */
  async password({ request, locals, url }) {
    const form = await readForm(request);
    const credentials = { email: form.text('email'), password: form.secret('password') };
    const account = accountOf(form);
    const next = safeNextPath(url.searchParams.get('next'));
    return submitForm(form, async () => {
      try {
        await signIn(locals, { ...credentials, ...account });
      } catch (error) {
        if (!(error instanceof AdminProblem)) throw error;
        if (error.code === 'sign-in-failed') {
          return failForm(form, error.status, {
            message: account ? WRONG_PASSWORD : 'Incorrect email or password.',
          });
        }
        if (error.code === 'sso-required') {
          return failForm(form, error.status, {
            message: 'Your team requires single sign-on. Sign in with single sign-on below.',
          });
        }
        if (error.code !== 'second-factor-required') throw error;
        const attempt = { ...credentials, factors: error.factors };
        await locals.sealedCookies.write('second-factor', attempt, new Date(Date.now() + SECOND_STEP_MS));
        redirect(303, `/sign-in?next=${encodeURIComponent(next)}`);
      }
      redirect(303, next);
    });
  },

  /** Second step: a code of the authenticator app, or a recovery code. */
  async code({ request, locals, url }) {
    const form = await readForm(request);
    const attempt = await locals.sealedCookies.read('second-factor');
    if (attempt === null) {
      return failForm(form, 400, { message: 'This sign-in expired after five minutes. Sign in again.' });
    }
    const code = form.required('code', 'Enter the code.').replaceAll(/\s/g, '');
    return submitForm(form, async () => {
      try {
        const { email, password } = attempt;
        const factor = isAppCode(code) ? { totp: code } : { recovery_code: code };
        await signIn(locals, { email, password, ...factor, ...accountOf(form) });
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'sign-in-failed') throw error;
        return failForm(form, 401, {
          errors: { code: 'That code is incorrect or expired. Enter a new code.' },
        });
      }
      redirect(303, safeNextPath(url.searchParams.get('next')));
    });
  },

  /** A passkey: the only step, or the second one after the password. */
  async passkey({ request, locals, url }) {
    const form = await readForm(request);
    const passkey = readAssertion(form.text('passkey'));
    if (passkey === null) return failForm(form, 400, { message: NO_PASSKEY });
    const attempt = await locals.sealedCookies.read('second-factor');
    const account = accountOf(form);
    return submitForm(form, async () => {
      try {
        const given = { passkey, ...account };
        if (attempt) await signIn(locals, { email: attempt.email, password: attempt.password, ...given });
        else await signInWithPasskey(locals, given);
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'sign-in-failed') throw error;
        return failForm(form, 401, { message: attempt || account ? NOT_OF_ACCOUNT : NOT_REGISTERED });
      }
      redirect(303, safeNextPath(url.searchParams.get('next')));
    });
  },

  /** Returns to the first step. */
  restart({ locals, url }) {
    locals.sealedCookies.clear('second-factor');
    redirect(303, `/sign-in?next=${encodeURIComponent(safeNextPath(url.searchParams.get('next')))}`);
  },
} satisfies Actions;

/** The dialog of a session that has ended names the member: a form must not continue in another team. Null on the sign-in page. */
function accountOf(form: Form): { member_id: string } | null {
  const memberId = form.optional('member_id');
  return memberId === undefined ? null : { member_id: memberId };
}

/** Authenticator apps show six digits (RFC 6238); recovery codes are longer. */
function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

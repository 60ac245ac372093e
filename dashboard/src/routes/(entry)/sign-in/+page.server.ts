import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '#lib/server/admin-problem.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { type Form, failForm, readForm, submitForm } from '#lib/server/form.ts';
import { isSetUp } from '#lib/server/installation.ts';
import { signIn } from '#lib/server/sign-in.ts';
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
    /** Set in the second step: the email address of the member who must enter a code. */
    attemptBy: attempt?.email ?? null,
    flash: takeFlash(cookies, ['password-set', 'signed-out', 'left-team']),
  };
};

export const actions = {
  /** First step, and the only one without two-factor authentication. */
  async password({ request, locals, url }) {
    const form = await readForm(request);
    const credentials = { email: form.text('email'), password: form.secret('password') };
    const next = safeNextPath(url.searchParams.get('next'));
    return submitForm(form, async () => {
      try {
        if (!(await signIn(locals, credentials, form.optional('member_id')))) return otherAccount(form);
      } catch (error) {
        if (!(error instanceof AdminProblem)) throw error;
        if (error.code === 'sign-in-failed') {
          return failForm(form, error.status, { message: 'Incorrect email or password.' });
        }
        if (error.code === 'sso-required') {
          return failForm(form, error.status, {
            message: 'Your team requires single sign-on. Sign in with single sign-on below.',
          });
        }
        if (error.code !== 'second-factor-required') throw error;
        await locals.sealedCookies.write('second-factor', credentials, new Date(Date.now() + SECOND_STEP_MS));
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
    const code = form.text('code').replaceAll(/\s/g, '');
    if (code === '') return failForm(form, 400, { errors: { code: 'Enter the code.' } });
    return submitForm(form, async () => {
      try {
        const credentials = { ...attempt, ...(isAppCode(code) ? { totp: code } : { recovery_code: code }) };
        if (!(await signIn(locals, credentials, form.optional('member_id')))) return otherAccount(form);
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'sign-in-failed') throw error;
        return failForm(form, 401, {
          errors: { code: 'That code is incorrect or expired. Enter a new code.' },
        });
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

/** The dialog of a session that has ended names the member: a form must not continue in another team. */
function otherAccount(form: Form) {
  return failForm(form, 401, {
    message: 'This password belongs to another account with this email. Enter the password of this account.',
  });
}

/** Authenticator apps show six digits (RFC 6238); recovery codes are longer. */
function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

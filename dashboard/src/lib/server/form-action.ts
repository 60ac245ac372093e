import { type ActionFailure, isActionFailure, type RequestEvent, redirect } from '@sveltejs/kit';
import type { CallOptions, SentRequest } from '@tollgate/admin-client/admin-client';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import type { AdminRoute, RouteReply } from '@tollgate/contracts/admin-api/route';
import { type Form, type FormFailure, failForm, hasErrors, readForm, submitForm } from './form.ts';

interface Options<Event> {
  /** Form fields by pointer of the request, where the names differ, or by the code of a problem that is about one field. */
  fieldOf?: Record<string, string>;
  /** Returns a problem of the call in the terms of the form, or why the form is rejected. May redirect. */
  explain?: (problem: AdminProblem, form: Form, event: Event) => AdminProblem | ActionFailure<FormFailure>;
}

type Read<Route extends AdminRoute> = SentRequest<Route> | ActionFailure<FormFailure>;

/**
 * A form action that calls one route of the admin API: with the version and the idempotency key of the form, if it has them.
 * @param request reads the fields, or returns why the form is rejected. After `form.reject`, nothing is called either
 * @param then what was done, as a sentence, or what the action returns to its page. May redirect
 */
export function formAction<
  Event extends RequestEvent,
  Route extends AdminRoute,
  Result extends object = { done: string },
>(
  route: Route,
  request: (form: Form, event: Event) => Read<Route> | Promise<Read<Route>>,
  then: string | ((reply: RouteReply<Route>, form: Form, event: Event) => Result | Promise<Result>),
  { fieldOf, explain = (problem) => problem }: Options<Event> = {},
) {
  return async (event: Event) => {
    const form = await readForm(event.request);
    const run = async () => {
      const sent = await request(form, event);
      if (isRejected(sent)) return sent;
      if (hasErrors(form)) return failForm(form, 400, {});
      const reply = await event.locals.admin.call(route, sent, callOptions(route, form)).catch((problem) => {
        if (!(problem instanceof AdminProblem)) throw problem;
        const explained = explain(problem, form, event);
        if (explained instanceof AdminProblem) throw explained;
        return explained;
      });
      if (isRejected(reply)) return reply;
      return (typeof then === 'string' ? { done: then } : await then(reply, form, event)) as Result;
    };
    return submitForm(form, run, fieldOf);
  };
}

/** What an action does last: redirects away from the form's address, so that reloading the page does not submit it again. */
export function leaveForm(_: unknown, __: Form, { url }: { url: URL }): never {
  redirect(303, url.pathname);
}

function isRejected(sent: object): sent is ActionFailure<FormFailure> {
  return isActionFailure(sent);
}

function callOptions({ ifMatch }: AdminRoute, form: Form): CallOptions {
  return {
    idempotencyKey: form.idempotencyKey(),
    ...(ifMatch !== 'none' && form.has('version') && { ifMatch: form.version() }),
  };
}

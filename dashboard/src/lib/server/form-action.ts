import type { RequestEvent } from '@sveltejs/kit';
import type { CallOptions, SentRequest } from '@tollgate/admin-client/admin-client';
import type { AdminRoute, RouteReply } from '@tollgate/contracts/admin-api/route';
import { type Form, failForm, hasErrors, readForm, submitForm } from './form.ts';

/**
 * A form action that calls one route of the admin API: with the version and the idempotency key of the form, if it has them.
 * @param request reads the fields. The errors that it reports by `form.reject` are shown, and nothing is called
 * @param then what was done, as a sentence, or what the action returns to its page. May redirect
 * @param fieldOf form fields by pointer of the request, where the names differ
 */
export function formAction<Event extends RequestEvent, Route extends AdminRoute, Result extends object>(
  route: Route,
  request: (form: Form, event: Event) => SentRequest<Route> | Promise<SentRequest<Route>>,
  then: string | ((reply: RouteReply<Route>, form: Form, event: Event) => Result),
  fieldOf?: Record<string, string>,
) {
  return async (event: Event) => {
    const form = await readForm(event.request);
    return submitForm(
      form,
      async () => {
        const sent = await request(form, event);
        if (hasErrors(form)) return failForm(form, 400, {});
        const reply = await event.locals.admin.call(route, sent, callOptions(route, form));
        return typeof then === 'string' ? { done: then } : then(reply, form, event);
      },
      fieldOf,
    );
  };
}

function callOptions({ ifMatch }: AdminRoute, form: Form): CallOptions {
  return {
    idempotencyKey: form.idempotencyKey(),
    ...(ifMatch !== 'none' && form.has('version') && { ifMatch: form.version() }),
  };
}

import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import { formatTime } from '#lib/format/time.ts';
import { allows } from '#lib/server/access.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { redirectWithFlash, takeFlash } from '#lib/server/flash.ts';
import { type Form, failForm, readForm, submitForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { readEndpoint } from '#lib/server/webhooks/read-endpoints.ts';
import { replayMissing } from '#lib/server/webhooks/replay-missing.ts';
import { readSince, suggestSince } from '#lib/server/webhooks/since-form.ts';
import { queuedLabel } from '#lib/webhooks/endpoints/endpoint-labels.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

const RECENT_DELIVERIES = 10;

export const load: PageServerLoad = async (event) => {
  const { locals, params, parent, depends, cookies } = event;
  depends(WEBHOOKS_KEY);
  const endpoint = await readEndpoint(event);
  const { admin } = locals;
  const of = { endpoint_id: params.endpoint_id };
  const [health, recent, application, { me }] = await Promise.all([
    pagePart('endpointHealth', admin.call(ADMIN_ROUTES.getEndpointHealth, of)),
    admin.call(ADMIN_ROUTES.listDeliveries, { ...of, limit: RECENT_DELIVERIES }),
    orNull(admin.call(ADMIN_ROUTES.getApplication, { application_id: endpoint.application_id })),
    parent(),
  ]);
  const now = Date.now();
  const missingSince = endpoint.failing_since ?? endpoint.disabled?.at ?? null;
  return {
    endpoint,
    health,
    deliveries: recent.data,
    applicationName: application?.name ?? null,
    eventTypes: [...PAYMENT_EVENT_TYPES],
    limits: limitsOf({ disable: ADMIN_ROUTES.disableEndpoint }),
    mayManage: allows(ADMIN_ROUTES.createEndpoint, me.role, params.environment),
    since: suggestSince(missingSince, locals.timeZone, now),
    flash: takeFlash(cookies, ['endpoint-added', 'endpoint-saved']),
    now,
  };
};

export const actions = {
  /** The secret appears only in the response to the POST: never in an address, a cookie or a log. */
  reveal: formAction(ADMIN_ROUTES.revealSecret, ofPage, ({ secret }) => ({ secret, isNew: false })),

  rotate: formAction(
    ADMIN_ROUTES.rotateSecret,
    (form, event: RequestEvent) => ({ ...ofPage(form, event), overlap_s: form.integer('overlap_s') }),
    ({ secret }) => ({ secret, isNew: true }),
  ),

  test: formAction(
    ADMIN_ROUTES.sendTestEvent,
    (form, event: RequestEvent) => ({
      ...ofPage(form, event),
      event_type: form.text('event_type') as PaymentEventType,
    }),
    ({ id }, form) => ({ sent: { deliveryId: id, eventType: form.text('event_type') } }),
  ),

  recover: (event) =>
    sendSince(event, async (request) => {
      const { deliveries } = await event.locals.admin.call(ADMIN_ROUTES.recoverEndpoint, request);
      return queuedLabel(deliveries, 'No deliveries failed since then.');
    }),

  replay: (event) =>
    sendSince(event, async (request) => {
      const { deliveries, nextTime } = await replayMissing(event.locals.admin, request);
      const sent = queuedLabel(deliveries, 'No events are missing since then.');
      if (nextTime === null) return sent;
      return `${sent} More events remain. Replay again from ${formatTime(nextTime, event.locals.timeZone)}.`;
    }),

  disable: formAction(
    ADMIN_ROUTES.disableEndpoint,
    (form, event: RequestEvent) => ({ ...ofPage(form, event), reason: form.optional('reason') }),
    'Endpoint disabled. No more events are sent to it.',
  ),

  // An enabled endpoint no longer reports since when it failed.
  enable: formAction(ADMIN_ROUTES.enableEndpoint, ofPage, (_, form) => ({ missedSince: form.text('since') })),

  delete: formAction(ADMIN_ROUTES.deleteEndpoint, ofPage, (_, __, event) => {
    redirectWithFlash(event, 'endpoint-deleted', `/${event.params.environment}/webhooks`);
  }),
} satisfies Actions;

function ofPage(_: Form, { params }: RequestEvent) {
  return { endpoint_id: params.endpoint_id };
}

async function sendSince(
  { params, request, locals }: RequestEvent,
  send: (request: { endpoint_id: string; since: string }) => Promise<string>,
) {
  const form = await readForm(request);
  const since = readSince(form.text('since'), locals.timeZone);
  if (since === null) return failForm(form, 400, { errors: { since: 'Enter a date and time.' } });
  return submitForm(form, async () => ({
    done: await send({ endpoint_id: params.endpoint_id, since }),
    missedSince: form.text('missed_since'),
  }));
}

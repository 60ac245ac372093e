import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { RateLimit } from '@tollgate/contracts/applications/rate-limit';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { allows } from '#lib/server/access.ts';
import { askAboutLiveChange, limitChanges, scopeChanges } from '#lib/server/applications/live-change.ts';
import { readLastUses, readLeakedKeys } from '#lib/server/applications/read-keys.ts';
import { readLabels } from '#lib/server/applications/read-labels.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { type Form, failForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { readRecentUsage } from '#lib/server/usage/recent-usage.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

const PAGE_SIZE = 25;
const ENDPOINTS_SHOWN = 5;

export const load: PageServerLoad = async ({ locals, params, parent, url, depends }) => {
  depends(WEBHOOKS_KEY);
  const { application_id, environment } = params;
  const nowMs = Date.now();
  const cursor = url.searchParams.get('cursor') ?? undefined;
  const areAllShown = url.searchParams.get('keys') === 'all';
  const [keys, leakedKeys, endpoints, usage, lastUsed, { me }] = await Promise.all([
    locals.admin.call(ADMIN_ROUTES.listKeys, {
      application_id,
      environment,
      limit: PAGE_SIZE,
      status: areAllShown ? undefined : 'active',
      cursor,
    }),
    readLeakedKeys(locals.admin, { environment, application_id }),
    pagePart(
      'webhooks',
      locals.admin.call(ADMIN_ROUTES.listEndpoints, { application_id, environment, limit: ENDPOINTS_SHOWN }),
    ),
    readRecentUsage(locals.admin, { environment, application_id }, { timeZone: locals.timeZone, nowMs }),
    readLastUses(locals.admin, [application_id]),
    parent(),
  ]);
  return {
    keys: keys.data,
    leakedKeys,
    usage,
    /** Times by key id; null when unknown. */
    lastUsed,
    nextCursor: keys.next_cursor,
    previousCursor: keys.previous_cursor,
    areAllShown,
    limits: limitsOf({ rename: ADMIN_ROUTES.renameApplication }),
    webhooks: {
      endpoints: endpoints.ok ? { ok: true as const, data: endpoints.data.data } : endpoints,
      hasMore: endpoints.ok && endpoints.data.next_cursor !== null,
      eventTypeCount: PAYMENT_EVENT_TYPES.length,
      mayManage: allows(ADMIN_ROUTES.createEndpoint, me.role, environment),
    },
    now: nowMs,
  };
};

export const actions = {
  rename: formAction(
    ADMIN_ROUTES.renameApplication,
    (form, { params }: RequestEvent) => ({
      application_id: params.application_id,
      name: form.required('name', 'Enter a name.'),
    }),
    'Application renamed.',
  ),

  scopes: formAction(
    ADMIN_ROUTES.setScopes,
    async (form, { locals: { admin }, params: { application_id } }: RequestEvent) => {
      const scopes = form.all('scopes') as Scope[];
      const application = await admin.call(ADMIN_ROUTES.getApplication, { application_id });
      const unconfirmed = await askAboutLiveChange(admin, form, {
        application,
        changes: scopeChanges(application.scopes, scopes),
        route: ADMIN_ROUTES.setScopes,
      });
      return unconfirmed ?? { application_id, scopes };
    },
    'Scopes saved. The change takes effect immediately.',
  ),

  limits: formAction(
    ADMIN_ROUTES.setLimits,
    async (form, { locals: { admin }, params: { application_id } }: RequestEvent) => {
      const environment = ENVIRONMENTS.find((candidate) => candidate === form.text('environment'));
      if (!environment) return failForm(form, 400, { message: 'Choose live or sandbox.' });
      const limit = readLimit(form, environment);
      const application = await admin.call(ADMIN_ROUTES.getApplication, { application_id });
      const unconfirmed = await askAboutLiveChange(admin, form, {
        application,
        changes: environment === 'live' ? limitChanges(application.limits.live, limit) : [],
        route: ADMIN_ROUTES.setLimits,
      });
      return unconfirmed ?? { application_id, limits: { ...application.limits, [environment]: limit } };
    },
    'Limit saved. The change takes effect immediately.',
  ),

  labels: formAction(
    ADMIN_ROUTES.setLabels,
    (form, { params }: RequestEvent) => ({
      application_id: params.application_id,
      labels: readLabels(form),
    }),
    'Labels saved.',
  ),

  idempotency: formAction(
    ADMIN_ROUTES.setIdempotencyKeyRequirement,
    (form, { params }: RequestEvent) => {
      const required = form.all('required');
      return {
        application_id: params.application_id,
        require_idempotency_key: { live: required.includes('live'), sandbox: required.includes('sandbox') },
      };
    },
    'Requirement saved. The change takes effect immediately.',
  ),

  archive: formAction(ADMIN_ROUTES.archiveApplication, ofPage, () => ({})),

  restore: formAction(ADMIN_ROUTES.restoreApplication, ofPage, 'Application restored. Its keys work again.'),

  delete: formAction(ADMIN_ROUTES.deleteApplication, ofPage, (_, __, event) => {
    const list = `/${event.params.environment}/applications?status=archived`;
    redirectWithFlash(event, 'application-deleted', list);
  }),
} satisfies Actions;

function ofPage(_: Form, { params }: RequestEvent) {
  return { application_id: params.application_id };
}

function readLimit(form: Form, environment: Environment): RateLimit {
  return {
    requests_per_second: form.integer(`limits.${environment}.requests_per_second`),
    burst: form.integer(`limits.${environment}.burst`),
  };
}

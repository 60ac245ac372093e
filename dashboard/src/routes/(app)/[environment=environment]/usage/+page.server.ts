import { redirect } from '@sveltejs/kit';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey } from '@tollgate/contracts/applications/application';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { firstPaymentCommand, keyToComplete } from '#lib/applications/first-payment.ts';
import type { Tab } from '#lib/list/list-data.ts';
import { showFilters } from '#lib/server/list/show-filters.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { applicationChoices, namesById, readApplications } from '#lib/server/payments/application-names.ts';
import { readKeys } from '#lib/server/read-each.ts';
import { readTotal, readUsage, type UsageOfRange, type UsageQuery } from '#lib/server/usage/read-usage.ts';
import {
  breakdownOf,
  isCustomRange,
  periodOf,
  readUsageFilters,
  USAGE_FILTERS,
  usagePath,
} from '#lib/server/usage/usage-filters.ts';
import { usageGroupRows } from '#lib/server/usage/usage-groups.ts';
import { rangeOfAll } from '#lib/server/usage/usage-range.ts';
import { usageView } from '#lib/server/usage/usage-view.ts';
import { USAGE_KEY } from '#lib/usage/usage-key.ts';
import {
  BREAKDOWN_LABELS,
  GRANULARITY_LABELS,
  PERIOD_LABELS,
  USAGE_BREAKDOWNS,
  USAGE_PERIODS,
} from '#lib/usage/usage-labels.ts';
import type { PageServerLoad } from './$types';

/** The most keys that the filter offers. */
const KEYS_OFFERED = 100;

export const load: PageServerLoad = async ({ locals, params: { environment }, url, depends }) => {
  depends(USAGE_KEY);
  const { admin, timeZone } = locals;
  const nowMs = Date.now();
  const read = readUsageFilters(url.searchParams, { timeZone, nowMs });
  const { values, range } = read;
  const path = (changes: Record<string, string>) => usagePath(environment, values, changes);
  // A form also submits empty fields, and a period beside a custom range. The redirect removes them from the address.
  const isUntidy = url.searchParams.values().some((value) => value === '');
  if (isUntidy || (isCustomRange(values) && url.searchParams.has('period'))) redirect(303, path({}));
  const by = breakdownOf(values);
  const query = { environment, ...read.request };

  const [usage, names, choice] = await Promise.all([
    range && pagePart('usage', readUsage(admin, query, { range, by, nowMs })),
    readApplications(admin),
    readChoice(admin, query),
  ]);
  if (choice.isOfAnother) redirect(303, path({ key: '' }));
  if (choice.applicationId && !values.has('application'))
    redirect(303, path({ application: choice.applicationId }));

  const groups = usage?.ok ? usage.data.groups : [];
  const keys = new Map(choice.keys.map((key) => [key.id, key]));
  const unnamed = groups.flatMap(({ key_id }) => (key_id === undefined || keys.has(key_id) ? [] : [key_id]));
  const others = await readKeys(admin, unnamed);
  const { limitPerSecond } = choice;
  const hasApplication = query.application_id !== undefined;
  const { fields, chips } = showFilters(USAGE_FILTERS, read, {
    path: url.pathname,
    options: {
      application: applicationChoices(names),
      key: hasApplication ? choice.keys.map(keyChoice) : [],
    },
  });
  return {
    fields: fields.map((field) =>
      field.name === 'key' && !hasApplication
        ? { ...field, isDisabled: true, any: 'Select an application first' }
        : field,
    ),
    chips,
    tabs: {
      periods: tabs(USAGE_PERIODS, PERIOD_LABELS, isCustomRange(values) ? null : periodOf(values), (period) =>
        path({ period, from: '', from_time: '', to: '', to_time: '', per: '' }),
      ),
      granularities: tabs(range?.granularities ?? [], GRANULARITY_LABELS, range?.granularity, (per) =>
        path({ per }),
      ),
      breakdowns: tabs(USAGE_BREAKDOWNS, BREAKDOWN_LABELS, by, (breakdown) => path({ by: breakdown })),
    },
    by,
    exportPath: range && path({}).replace('/usage', '/usage.csv'),
    usage: usage?.ok
      ? {
          ok: true as const,
          ...usageView(usage.data, { environment, values, timeZone, nowMs, limitPerSecond }),
          hasRequests: usage.data.total.requests > 0,
          groups: usageGroupRows(groups, {
            by,
            all: usage.data.total.requests,
            environment,
            values,
            applicationNames: namesById(names),
            keys: new Map([...keys, ...others]),
          }),
          countedTo: usage.data.countedTo,
        }
      : usage,
    /** A command that sends a first request, if this environment has never had one. */
    firstCommand:
      usage?.ok && (await isUnused(admin, query, usage.data, nowMs))
        ? firstPaymentCommand({
            baseUrl: locals.apiUrls[environment],
            secret: keyToComplete(environment, await newestKey(admin, environment)),
            idempotencyKey: crypto.randomUUID(),
          })
        : null,
    now: nowMs,
  };
};

function tabs<Value extends string>(
  values: readonly Value[],
  labels: Record<Value, string>,
  current: Value | null | undefined,
  hrefOf: (value: Value) => string,
): Tab[] {
  return values.map((value) => ({ label: labels[value], href: hrefOf(value), isCurrent: value === current }));
}

async function newestKey(admin: AdminClient, environment: Environment) {
  const keys = await orNull(
    admin.call(ADMIN_ROUTES.listTeamKeys, { environment, status: 'active', limit: 1 }),
  );
  return keys?.data[0];
}

/**
 * The application and the keys to choose from. A key in the address selects its application; a key of another
 * application is dropped.
 */
async function readChoice(admin: AdminClient, { environment, application_id, key_id }: UsageQuery) {
  const [application, listed, chosen] = await Promise.all([
    application_id ? orNull(admin.call(ADMIN_ROUTES.getApplication, { application_id })) : null,
    application_id
      ? orNull(admin.call(ADMIN_ROUTES.listKeys, { application_id, environment, limit: KEYS_OFFERED }))
      : null,
    key_id ? orNull(admin.call(ADMIN_ROUTES.getKey, { key_id })) : null,
  ]);
  const keys = listed?.data ?? [];
  const isListed = keys.some(({ id }) => id === chosen?.id);
  return {
    keys: chosen && !isListed ? [...keys, chosen] : keys,
    applicationId: chosen?.application_id ?? null,
    isOfAnother: chosen !== null && application_id !== undefined && chosen.application_id !== application_id,
    limitPerSecond: application?.limits[environment].requests_per_second ?? null,
  };
}

function keyChoice({ id, name, status }: ApiKey) {
  return { value: id, label: status === 'active' ? name : `${name} (${status})` };
}

async function isUnused(admin: AdminClient, query: UsageQuery, usage: UsageOfRange, nowMs: number) {
  const isNarrowed = Object.keys(query).length > 1;
  if (isNarrowed || usage.total.requests > 0 || usage.before.requests > 0) return false;
  const ever = await orNull(readTotal(admin, { environment: query.environment }, rangeOfAll(nowMs)));
  return ever?.requests === 0;
}

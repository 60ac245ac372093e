import type { Environment } from '@tollgate/contracts/platform/environment';
import type { UsageTotal } from '@tollgate/contracts/usage/usage';
import { inWords } from '#lib/format/label-of.ts';
import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import type { Values } from '#lib/server/list/filter.ts';
import type { UsageBreakdown } from '#lib/usage/usage-labels.ts';
import { formatOr, shareTexts } from './usage-figures.ts';
import { usagePath } from './usage-filters.ts';

export type UsageGroupRow = ReturnType<typeof usageGroupRows>[number];

interface Context {
  by: UsageBreakdown;
  /** Requests of all groups. */
  all: number;
  environment: Environment;
  values: Values;
  applicationNames: Record<string, string>;
  keys: ReadonlyMap<string, { name: string }>;
}

/** The rows of the table below the charts. */
export function usageGroupRows(groups: UsageTotal[], context: Context) {
  return groups.map((group) => ({
    ...about(group, context),
    requests: formatCount(group.requests),
    /** Share of the requests of all rows, 0 to 100: for the bar behind the figure. */
    percentOfAll: context.all === 0 ? 0 : (group.requests / context.all) * 100,
    ...shareTexts(group),
    p50: formatOr(formatLatency, group.p50_ms),
    p95: formatOr(formatLatency, group.p95_ms),
  }));
}

/**
 * What the row is about: its name, the application of a key as a note, the page of the application or key, and the page of usage
 * narrowed to this row. An application then shows its keys.
 */
function about(
  { application_id = '', key_id = '', operation }: UsageTotal,
  { by, environment, values, applicationNames, keys }: Context,
) {
  const application = applicationNames[application_id] ?? application_id;
  const path = `/${environment}/applications/${application_id}`;
  const narrow = (changes: Record<string, string>) => usagePath(environment, values, changes);
  switch (by) {
    case 'application':
      return {
        id: application_id,
        name: application,
        note: null,
        href: path,
        narrowHref: narrow({ application: application_id, key: '', by: 'key' }),
      };
    case 'key':
      return {
        id: key_id,
        name: keys.get(key_id)?.name ?? key_id,
        note: application,
        href: `${path}/keys/${key_id}`,
        narrowHref: narrow({ application: application_id, key: key_id, by: 'operation' }),
      };
    case 'operation':
      return {
        id: operation ?? '',
        name: operation === undefined ? '' : inWords(operation),
        note: null,
        href: null,
        narrowHref: narrow({ operation: operation ?? '' }),
      };
  }
}

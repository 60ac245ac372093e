import type { Environment } from '@tollgate/contracts/platform/environment';
import type { UsageTotal } from '@tollgate/contracts/usage/usage';
import { inWords } from '#lib/format/label-of.ts';
import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import type { Values } from '#lib/server/list/filter.ts';
import type { UsageBreakdown } from '#lib/usage/usage-labels.ts';
import { formatOr, shareTexts } from './usage-figures.ts';
import { usagePath } from './usage-filters.ts';

/** One row of the table below the charts. */
export interface UsageGroupRow {
  /** Unique in the table. */
  id: string;
  name: string;
  /** The application of a key. */
  note: string | null;
  /** Link to the application or key of the row; null for operations. */
  href: string | null;
  /** Link to the page filtered by this row. */
  narrowHref: string;
  requests: string;
  /** Share of the requests of all rows, 0 to 100: for the bar behind the figure. */
  percentOfAll: number;
  errorShare: string;
  rateLimited: string;
  p50: string;
  p95: string;
}

interface Context {
  by: UsageBreakdown;
  /** Requests of all groups. */
  all: number;
  environment: Environment;
  values: Values;
  applicationNames: Record<string, string>;
  keys: ReadonlyMap<string, { name: string }>;
}

export function usageGroupRows(groups: UsageTotal[], context: Context): UsageGroupRow[] {
  const { all, environment, values } = context;
  return groups.map((group) => {
    const { narrowed, ...row } = about(group, context);
    return {
      ...row,
      narrowHref: usagePath(environment, values, narrowed),
      requests: formatCount(group.requests),
      percentOfAll: all === 0 ? 0 : (group.requests / all) * 100,
      ...shareTexts(group),
      p50: formatOr(formatLatency, group.p50_ms),
      p95: formatOr(formatLatency, group.p95_ms),
    };
  });
}

/** What the row is about, and the filters that narrow the page to it. An application then shows its keys. */
function about(
  { application_id = '', key_id = '', operation }: UsageTotal,
  { by, environment, applicationNames, keys }: Context,
): Pick<UsageGroupRow, 'id' | 'name' | 'note' | 'href'> & { narrowed: Record<string, string> } {
  const application = applicationNames[application_id] ?? application_id;
  const path = `/${environment}/applications/${application_id}`;
  switch (by) {
    case 'application':
      return {
        id: application_id,
        name: application,
        note: null,
        href: path,
        narrowed: { application: application_id, key: '', by: 'key' },
      };
    case 'key':
      return {
        id: key_id,
        name: keys.get(key_id)?.name ?? key_id,
        note: application,
        href: `${path}/keys/${key_id}`,
        narrowed: { application: application_id, key: key_id, by: 'operation' },
      };
    case 'operation':
      return {
        id: operation ?? '',
        name: operation === undefined ? '' : inWords(operation),
        note: null,
        href: null,
        narrowed: { operation: operation ?? '' },
      };
  }
}

import type { MetricDescription } from '@tollgate/runtime/metrics';

const INTRODUCTION = `# Metrics

<!-- A test writes this page: \`npx vitest run metrics-page --update\` -->

Each process serves its metrics at \`/metrics\` of its ops port, in the format of Prometheus, and lists them as JSON at \`/metrics.json\`.
[Alerts](alerts.md) and dashboards for them are in [deploy/monitoring](../../deploy/monitoring/README.md).

Names, types, and labels are stable: a release that removes or renames one says so in the [changelog](../../CHANGELOG.md). New metrics, labels,
and values of labels may appear in each release. Every metric also has the label \`service\`, the name of the process. Each process
has the metrics of Node and of the process itself that
[prom-client](https://github.com/siimon/prom-client#default-metrics) provides (\`process_…\`, \`nodejs_…\`), too.

No label names a team, application, key, or endpoint, so that the number of time series stays bounded. A value "across all instances"
is read from the database: each instance reports the same one. Take the maximum of it, not the sum.
`;

const EVERY_PROCESS = 'Every process';

/** The page of docs/operating that lists the metrics of each process. A metric that several processes have is listed once. */
export function metricsPage(described: ReadonlyMap<string, MetricDescription[]>): string {
  const groups = new Map<string, Map<string, MetricDescription>>();
  for (const metric of [...described.values()].flat()) {
    const title = titleFor(metric.name, described);
    groups.set(title, (groups.get(title) ?? new Map()).set(metric.name, metric));
  }
  const sections = [...groups]
    .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
    .map(([title, metrics]) => section(title, [...metrics.values()]));
  return [INTRODUCTION, ...sections].join('\n');
}

function titleFor(name: string, described: ReadonlyMap<string, MetricDescription[]>): string {
  const having: string[] = [];
  const lacking: string[] = [];
  for (const [process, metrics] of described)
    (metrics.some((metric) => metric.name === name) ? having : lacking).push(process);
  if (lacking.length === 0) return EVERY_PROCESS;
  if (having.length === 1) return having.join('');
  if (lacking.length < having.length) return `${EVERY_PROCESS} but ${lacking.sort().join(' and ')}`;
  return having.sort().join(' and ');
}

/** What most processes have comes first. */
function rank(title: string): number {
  return title.startsWith(EVERY_PROCESS) ? title.length - 1_000 : 0;
}

function section(title: string, metrics: MetricDescription[]): string {
  const rows = metrics.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  const heading = title.charAt(0).toUpperCase() + title.slice(1);
  return [`## ${heading}`, '', '| metric | type | labels | meaning |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}

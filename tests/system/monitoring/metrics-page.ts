import type { MetricDescription } from '@tollgate/runtime/metrics';

const INTRODUCTION = `# Metrics

<!-- Generated from what the processes serve: \`npx vitest run metrics-page --update\` -->

Each process serves its metrics at \`/metrics\` of its ops port, in the format of Prometheus, and lists them as JSON at \`/metrics.json\`. It also has the
\`process_…\` and \`nodejs_…\` metrics of [prom-client](https://github.com/siimon/prom-client#default-metrics).
[deploy/monitoring](../../deploy/monitoring/README.md) has [alerts](alerts.md) and dashboards.

Labels are in parentheses. Every metric also has the label \`service\`, the name of the process. No label names a team, application, key, or endpoint. A name that ends with \`_total\` is a
counter. Each instance reads a value "across all instances" from the database: take the maximum, not the sum. It is NaN while the process cannot read it.

A release that removes or renames a metric or label says so in the [changelog](../../CHANGELOG.md).
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
  const lines = metrics.map(({ name, type, labels, help }) => {
    const list = labels.length > 0 ? ` (${labels.map((label) => `\`${label}\``).join(', ')})` : '';
    return `- \`${name}\`${list}: ${type === 'histogram' ? 'Histogram. ' : ''}${help}`;
  });
  return [`## ${title.charAt(0).toUpperCase()}${title.slice(1)}`, '', ...lines, ''].join('\n');
}

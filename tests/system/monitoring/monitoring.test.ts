import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT_DIR, cacheDir } from '@tollgate/local-servers/checkout';
import { findPromtool } from '@tollgate/test-kit/promtool';
import GithubSlugger from 'github-slugger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { MONITORING_DIR, readAlerts, readDashboards, readTestedAlerts } from './monitoring-files.ts';
import { readQuery } from './promql.ts';
import { servedLabels } from './served-labels.ts';

const run = promisify(execFile);
const say = (line: string) => process.stderr.write(`${line}\n`);
const promtool = await findPromtool({ cacheDir: cacheDir(process.env), say });
if (promtool === null)
  say('NO PROMTOOL: the alerts are NOT evaluated. Install the package prometheus of the distribution.');
const alerts = readAlerts();
const dashboards = readDashboards();

let platform: SharedPlatform;
let served: Awaited<ReturnType<typeof servedLabels>>;
beforeAll(async () => {
  platform = await joinSharedPlatform();
  served = await servedLabels(platform.opsUrls);
});
afterAll(() => platform.leave());

/** What a query names and no process serves. */
function unknownNames(expr: string): string[] {
  const { isValid, selectors, groupedBy } = readQuery(expr);
  if (!isValid || selectors.length === 0) return ['the query is not valid'];
  const unknown = selectors.flatMap(({ metric, labels }) => {
    const known = served.get(metric);
    return known
      ? labels.filter((label) => !known.has(label)).map((label) => `${metric}{${label}}`)
      : [metric];
  });
  const grouping = groupedBy.filter(
    (label) => !selectors.some(({ metric }) => served.get(metric)?.has(label)),
  );
  return [...unknown, ...grouping.map((label) => `by (${label})`)];
}

describe('deploy/monitoring', () => {
  it.each(alerts)('$alert queries metrics and labels that the processes serve', ({ expr }) => {
    expect(unknownNames(expr)).toEqual([]);
  });

  it.each(dashboards.flatMap(({ file, panels }) => panels.map((panel) => ({ file, ...panel }))))(
    '$file: "$title" queries metrics and labels that the processes serve',
    ({ targets, description }) => {
      expect(description).not.toBe('');
      expect(targets).not.toEqual([]);
      for (const { expr, legendFormat } of targets) {
        expect(unknownNames(expr), expr).toEqual([]);
        const { selectors, groupedBy } = readQuery(expr);
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
        const available =
          groupedBy.length > 0 ? groupedBy : [...(served.get(selectors[0]?.metric ?? '') ?? [])];
        expect(available).toEqual(expect.arrayContaining(shown));
      }
    },
  );

  it('the test detects metrics and labels that no process serves', () => {
    expect(unknownNames('tollgate_missing_total > 0')).toEqual(['tollgate_missing_total']);
    expect(unknownNames('sum by (team) (tollgate_ready{id="1"})')).toEqual([
      'tollgate_ready{id}',
      'by (team)',
    ]);
    expect(unknownNames('rate(tollgate_ready[5m]')).toEqual(['the query is not valid']);
  });

  it('deploy/monitoring has an id of its own for each dashboard, which is the name of its file', () => {
    expect(dashboards.map(({ uid }) => uid)).toEqual(dashboards.map(({ file }) => file));
    expect(dashboards).toHaveLength(3);
  });

  it.each(alerts)('$alert links to what to do about it', ({ alert, annotations, labels }) => {
    const page = readFileSync(join(CHECKOUT_DIR, 'docs', 'operating', 'alerts.md'), 'utf8');
    const slugger = new GithubSlugger();
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugger.slug(heading ?? ''));
    const { hash, pathname } = new URL(annotations.runbook_url);
    expect(pathname).toBe('/docs/operating/alerts.html');
    expect(hash).toBe(`#${alert.toLowerCase()}`);
    expect(anchors).toContain(hash.slice(1));
    expect(['critical', 'warning']).toContain(labels.severity);
  });

  it('deploy/monitoring has a unit test of each alert', () => {
    expect(new Set(readTestedAlerts())).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });
});

describe.skipIf(promtool === null)('promtool', () => {
  it.each([
    ['finds no fault in the alerts', ['check', 'rules', 'alerts.yml']],
    ['evaluates the unit tests of the alerts', ['test', 'rules', 'alerts.test.yml']],
  ])('%s', async (_title, args) => {
    const { stdout } = await run(promtool ?? '', args, { cwd: MONITORING_DIR });
    expect(stdout).toContain('SUCCESS');
  });
});

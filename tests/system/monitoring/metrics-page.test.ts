import type { MetricDescription } from '@tollgate/runtime/metrics';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { describedMetrics } from './described-metrics.ts';
import { metricsPage } from './metrics-page.ts';

/** The unit of a histogram or gauge that measures something other than a number of things is the end of its name. */
const MEASURES = /_(duration|delay|age|size)_/;

let platform: SharedPlatform;
let described: Map<string, MetricDescription[]>;
beforeAll(async () => {
  platform = await joinSharedPlatform();
  described = await describedMetrics(platform.opsUrls);
});
afterAll(() => platform.leave());

it('the metrics are documented in docs/operating/metrics.md (--update writes it)', async () => {
  await expect(metricsPage(described)).toMatchFileSnapshot('../../../docs/operating/metrics.md');
});

it('the metrics are served as they are described', async () => {
  for (const [process, metrics] of described) {
    const url = platform.opsUrls[process as keyof SharedPlatform['opsUrls']];
    const text = await (await fetch(`${url}/metrics`)).text();
    const served = [...text.matchAll(/^# TYPE (tollgate_\w+) (\w+)$/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    expect(served.sort(), process).toEqual(metrics.map(({ name, type }) => `${name} ${type}`).sort());
  }
});

it('the metrics have names with the unit last, and a help text without a full stop', () => {
  for (const { name, type, help } of [...described.values()].flat()) {
    expect(name.endsWith('_total'), `${name} is a ${type}`).toBe(type === 'counter');
    if (MEASURES.test(name)) expect(name).toMatch(/_(seconds|bytes)$/);
    expect(help, name).toMatch(/^[A-Z0-9].*[^.]$/);
  }
});

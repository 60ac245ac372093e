import type { MetricDescription } from '@tollgate/runtime/metrics';
import type { SharedPlatform } from '../../support/platform/shared-platform.ts';

/** Reads the description of every metric of each process, by process. */
export async function describedMetrics(
  opsUrls: SharedPlatform['opsUrls'],
): Promise<Map<string, MetricDescription[]>> {
  const described = Object.entries(opsUrls).map(async ([process, url]) => {
    const response = await fetch(`${url}/metrics.json`);
    return [process, (await response.json()) as MetricDescription[]] as const;
  });
  return new Map(await Promise.all(described));
}

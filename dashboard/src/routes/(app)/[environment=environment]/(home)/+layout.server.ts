import { UNANNOUNCED_KEY } from '#lib/home/unannounced-key.ts';
import { homePeriod, latencyFigure } from '#lib/server/home/period-figures.ts';
import { readApiErrors, readApiLatency } from '#lib/server/home/read-api-health.ts';
import { readKeyAttention } from '#lib/server/home/read-attention.ts';
import { orNull } from '#lib/server/or-null.ts';
import { pagePart } from '#lib/server/page-part.ts';
import type { LayoutServerLoad } from './$types';

/** Usage, API errors, and keys. No live update announces their changes, so that they are reloaded less often than the page. */
export const load: LayoutServerLoad = async ({
  locals: { admin, timeZone },
  params: { environment },
  url,
  depends,
}) => {
  depends(UNANNOUNCED_KEY);
  const period = homePeriod(url);
  const nowMs = Date.now();
  const [latency, apiErrors, keyAttention] = await Promise.all([
    orNull(readApiLatency(admin, environment, { period, nowMs })),
    pagePart('requests', readApiErrors(admin, environment, { period, nowMs })),
    readKeyAttention(admin, environment, { timeZone, nowMs }),
  ]);
  return { latency: latencyFigure(latency), apiErrors, keyAttention };
};

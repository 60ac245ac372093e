import type { Clock } from '@tollgate/runtime/clock';
import type { AdapterConfig } from '../http/adapter-client.ts';
import { createHttpProcessor } from '../http/http-processor.ts';
import { manualProcessor } from '../manual-processor.ts';
import type { Processors } from '../processor.ts';
import type { ProcessorMetrics } from '../processor-metrics.ts';
import { createSandboxProcessor } from '../sandbox/sandbox-processor.ts';

/** The built-in processors, and one for each adapter. `close` ends the connections to adapters. */
export function createProcessors(deps: {
  adapters: ReadonlyMap<string, AdapterConfig>;
  sandboxSettlementDelayMs: number;
  sandboxPageUrlOf(paymentId: string): string;
  metrics: ProcessorMetrics;
  clock: Clock;
}): { processors: Processors; close(): Promise<void> } {
  const { adapters, sandboxSettlementDelayMs, sandboxPageUrlOf, metrics, clock } = deps;
  const behindAdapters = [...adapters].map(([name, config]) => {
    const onAvailable = (isAvailable: boolean) => metrics.setAvailable(name, isAvailable);
    onAvailable(true);
    return createHttpProcessor({ name, config, clock, onAvailable });
  });
  const all = [
    createSandboxProcessor({ settlementDelayMs: sandboxSettlementDelayMs, pageUrlOf: sandboxPageUrlOf }),
    manualProcessor,
    ...behindAdapters,
  ];
  return {
    processors: new Map(all.map((processor) => [processor.name, processor])),
    async close() {
      await Promise.all(behindAdapters.map((processor) => processor.close()));
    },
  };
}

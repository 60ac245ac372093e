import { recordSpans } from './span.ts';

export interface Tracing {
  /** Sends the spans that were recorded so far. */
  stop(): Promise<void>;
}

/** One line is enough to see that the collector is down. */
const WARNING_INTERVAL_MS = 60_000;
const NOT_RECORDING: Tracing = { async stop() {} };

/**
 * Records the spans of this process and sends them to the OpenTelemetry collector at this address. Called once for each process. The SDK
 * is loaded only with an address: without one, it would cost every process about 10 MB and a tenth of a second.
 */
export async function startTracing(options: {
  version: string;
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`; empty for none. */
  endpoint: string;
  /** Share of the traces that begin here and are recorded, from 0 to 1. A trace of a caller is recorded if the caller records it. */
  sampledShare: number;
  logger: { warn(fields: { err: unknown }, message: string): void };
}): Promise<Tracing> {
  if (options.endpoint === '') return NOT_RECORDING;
  const { createOtlpRecorder } = await import('./otlp-recorder.ts');
  const recorder = createOtlpRecorder({ ...options, onError: warnSeldom(options.logger) });
  recordSpans(recorder.startSpan);
  return {
    async stop() {
      recordSpans(null);
      await recorder.stop();
    },
  };
}

function warnSeldom(logger: {
  warn(fields: { err: unknown }, message: string): void;
}): (error: unknown) => void {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return (err) => {
    if (performance.now() - warnedAtMs < WARNING_INTERVAL_MS) return;
    warnedAtMs = performance.now();
    logger.warn(
      { err },
      'spans were dropped, because the collector did not accept them; check OTEL_EXPORTER_OTLP_ENDPOINT',
    );
  };
}

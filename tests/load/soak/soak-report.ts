import type { ProcessSample } from './process-sample.ts';
import { lowWaterSlope, slopeOf } from './trend.ts';

/** What was measured at one moment of a soak. */
export interface SoakSample {
  minute: number;
  /** Requests with a response so far. */
  requests: number;
  processes: Record<string, ProcessSample>;
  /** Bytes on disk. */
  stores: Record<string, number>;
}

/** A leak of 200 bytes for each request of 50 per second is 0.6 MB per minute. */
const MAX_MEMORY_SLOPE_MB_PER_MINUTE = 0.5;
/**
 * A leak of one handle for each of a thousand requests is 3 per minute. Connections come and go: without a leak, the lowest counts of
 * two halves of ten minutes differ by up to three.
 */
const MAX_OPEN_FILES_SLOPE_PER_MINUTE = 0.5;

export interface ProcessTrend {
  process: string;
  pssMb: { start: number; end: number; slopePerMinute: number };
  keptMb: { start: number; end: number; slopePerMinute: number };
  rssMb: { start: number; end: number; slopePerMinute: number };
  openFiles: { start: number; end: number; slopePerMinute: number };
  cpuMsPerRequest: number;
}

/** How each process changes over the samples. */
export function trendsOf(samples: readonly SoakSample[]): ProcessTrend[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return [];
  return Object.keys(first.processes).map((process) => {
    const points = (figure: keyof ProcessSample) =>
      samples.map(({ minute, processes }) => [minute, processes[process]?.[figure] ?? Number.NaN] as const);
    const trend = (figure: keyof ProcessSample) => ({
      start: points(figure)[0]?.[1] ?? Number.NaN,
      end: points(figure).at(-1)?.[1] ?? Number.NaN,
      slopePerMinute: lowWaterSlope(points(figure)),
    });
    const { start, end } = trend('cpuMs');
    return {
      process,
      pssMb: trend('pssMb'),
      keptMb: trend('keptMb'),
      rssMb: trend('rssMb'),
      openFiles: trend('openFiles'),
      cpuMsPerRequest: (end - start) / (last.requests - first.requests),
    };
  });
}

/** Lists processes whose memory or open files grow. */
export function growing(trends: readonly ProcessTrend[]): string[] {
  return trends.flatMap(({ process, openFiles, ...memory }) => [
    ...(memorySlope(memory) <= MAX_MEMORY_SLOPE_MB_PER_MINUTE
      ? []
      : [`The memory of ${process} grows by ${memorySlope(memory).toFixed(2)} MB per minute.`]),
    ...(openFiles.slopePerMinute <= MAX_OPEN_FILES_SLOPE_PER_MINUTE
      ? []
      : [`The open files of ${process} grow by ${openFiles.slopePerMinute.toFixed(2)} per minute.`]),
  ]);
}

/**
 * What a process keeps shows a leak. The operating system counts more: heaps that V8 has grown and not returned yet, and gaps of the
 * allocator, which settle only after hours.
 */
function memorySlope({ keptMb, pssMb }: Pick<ProcessTrend, 'keptMb' | 'pssMb'>): number {
  return Number.isNaN(keptMb.slopePerMinute) ? pssMb.slopePerMinute : keptMb.slopePerMinute;
}

/** Bytes that each store gains for a request. */
export function bytesPerRequest(samples: readonly SoakSample[]): Record<string, number> {
  const names = Object.keys(samples[0]?.stores ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      slopeOf(samples.map(({ requests, stores }) => [requests, stores[name] ?? Number.NaN] as const)),
    ]),
  );
}

/** The tables of the report, as Markdown. */
export function soakMarkdown(trends: readonly ProcessTrend[], growth: Record<string, number>): string {
  const rows = trends.map(
    ({ process, keptMb, pssMb, rssMb, openFiles, cpuMsPerRequest }) =>
      `| ${process} | ${fromTo(keptMb)} | ${fromTo(pssMb)} | ${rssMb.end.toFixed(0)} | ${openFiles.start} → ${openFiles.end} | ${signed(openFiles.slopePerMinute)} | ${cpuMsPerRequest.toFixed(2)} |`,
  );
  return [
    '| process | kept (MB) | per minute | PSS (MB) | per minute | RSS (MB) | open files | per minute | CPU per request (ms) |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '| store | bytes per request |',
    '|---|---|',
    ...Object.entries(growth).map(([name, bytes]) => `| ${name} | ${Math.round(bytes)} |`),
    '',
  ].join('\n');
}

function fromTo({ start, end, slopePerMinute }: ProcessTrend['pssMb']): string {
  if (Number.isNaN(end)) return '– | –';
  return `${start.toFixed(0)} → ${end.toFixed(0)} | ${signed(slopePerMinute)}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
  /** Microseconds of the same clock as `process.hrtime`. */
  startTime: number;
}

/** A period in microseconds of `process.hrtime`. */
export type Period = [fromUs: number, toUs: number];

/**
 * Summarizes what a process that ran with `--cpu-prof` did in a period: the share of each function, and of each
 * package, of the time in which it was not idle. Largest first.
 */
export function summarizeProfile(folder: string, pid: number, period: Period, shown: number): string {
  const file = readdirSync(folder).find((name) => name.includes(`.${pid}.0.`));
  if (file === undefined) throw new Error(`Process ${pid} has written no profile to ${folder}.`);
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byFunction = new Map<string, number>();
  const byPackage = new Map<string, number>();
  let atUs = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const tookUs = profile.timeDeltas[index] ?? 0;
    atUs += tookUs;
    const frame = frames.get(id);
    if (!frame || frame.functionName === '(idle)') continue;
    if (atUs < period[0] || atUs > period[1]) continue;
    const place = placeOf(frame.url);
    add(byFunction, `${frame.functionName || '(anonymous)'} ${place}:${frame.lineNumber + 1}`, tookUs);
    add(byPackage, packageOf(place) || frame.functionName, tookUs);
  }
  return [...largest(byPackage, shown), '', ...largest(byFunction, shown)].join('\n');
}

function add(sums: Map<string, number>, name: string, timeUs: number): void {
  sums.set(name, (sums.get(name) ?? 0) + timeUs);
}

function largest(sums: Map<string, number>, shown: number): string[] {
  const total = sums.values().reduce((sum, timeUs) => sum + timeUs, 0);
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, timeUs]) => `${((100 * timeUs) / total).toFixed(1).padStart(5)} %  ${name}`);
}

/** The part of a script's address that does not depend on the machine. */
function placeOf(url: string): string {
  const inPackage = url.split('/node_modules/').at(-1) ?? '';
  return inPackage.replace(/^file:.*\/(?=(packages|services|gateway)\/)/, '');
}

function packageOf(place: string): string {
  const [first = '', second = ''] = place.split('/');
  return /^(@|packages$|services$)/.test(first) ? `${first}/${second}` : first;
}

import { expect, it } from 'vitest';
import { bytesPerRequest, growing, type SoakSample, trendsOf } from './soak-report.ts';

const SAMPLES = 80;
const REQUESTS_PER_SAMPLE = 750;

/** A run of twenty minutes, with a garbage collection every five samples. */
function aRun({
  leakMbPerMinute = 0,
  leakedFilesPerMinute = 0,
  heapMbPerMinute = 0,
  isNode = true,
} = {}): SoakSample[] {
  return Array.from({ length: SAMPLES }, (_, index) => {
    const minute = index / 4;
    const leakedMb = leakMbPerMinute * minute;
    const keptMb = isNode ? 60 + (index % 5) * 2 + leakedMb : Number.NaN;
    const pssMb = 150 + (index % 5) * 12 + leakedMb + heapMbPerMinute * minute;
    const openFiles = 40 + Math.floor(leakedFilesPerMinute * minute) + (index % 7 === 0 ? 60 : 0);
    const requests = index * REQUESTS_PER_SAMPLE;
    return {
      minute,
      requests,
      processes: { payments: { keptMb, pssMb, rssMb: pssMb + 60, openFiles, cpuMs: requests * 2 } },
      stores: { MongoDB: 1_000_000 + requests * 100 },
    };
  });
}

it('the judgement of a soak finds nothing when memory and open files return to the same lows', () => {
  expect(growing(trendsOf(aRun()))).toEqual([]);
});

it('the judgement of a soak finds a leak of one megabyte per minute', () => {
  expect(growing(trendsOf(aRun({ leakMbPerMinute: 1 })))).toEqual([
    expect.stringMatching(/^The memory of payments grows by /),
  ]);
});

it('the judgement of a soak finds one in a process that does not say what it keeps', () => {
  expect(growing(trendsOf(aRun({ leakMbPerMinute: 1, isNode: false })))).toHaveLength(1);
});

it('the judgement of a soak finds nothing when a heap grows, and what the process keeps does not', () => {
  expect(growing(trendsOf(aRun({ heapMbPerMinute: 1 })))).toEqual([]);
});

it('the judgement of a soak finds a leak of one handle per minute', () => {
  expect(growing(trendsOf(aRun({ leakedFilesPerMinute: 1 })))).toEqual([
    expect.stringMatching(/^The open files of payments grow by /),
  ]);
});

it('the judgement of a soak states the processor time and the growth of the store per request', () => {
  expect(trendsOf(aRun())[0]?.cpuMsPerRequest).toBeCloseTo(2);
  expect(bytesPerRequest(aRun())['MongoDB']).toBeCloseTo(100);
});

import { expect, it } from 'vitest';
import { verifyExport } from '../../src/verify-export.ts';
import { buildLog, exportLog, linesOf, textOf, verifyingKey } from '../build-export.ts';
import { dice, TAMPERINGS } from './tamperings.ts';

const LOG = buildLog([3, 9, 9, 17, 30, 31, 48, 60]);
const OPTIONS = { publicKeys: [verifyingKey(LOG.key)] };
/** The entire log, and an export from its middle. */
const EXPORTS = [exportLog(LOG), exportLog(LOG, 4)];

const TAMPERINGS_TRIED = 1_000;
const KINDS = Object.entries(TAMPERINGS);

it(`tampering with an export is found and identified, ${TAMPERINGS_TRIED} times of ${TAMPERINGS_TRIED}, in ${KINDS.length} ways`, {
  timeout: 120_000,
}, async () => {
  const unnoticed: unknown[] = [];
  let tried = 0;
  for (let seed = 1; tried < TAMPERINGS_TRIED; seed++) {
    const roll = dice(seed);
    const [kind, tamper] = KINDS[seed % KINDS.length] as (typeof KINDS)[number];
    const lines = structuredClone(EXPORTS[roll(EXPORTS.length)] as (typeof EXPORTS)[number]);
    const isNamedBy = tamper(lines, roll);
    if (isNamedBy === null) continue;
    tried += 1;
    const { isIntact, findings } = await verifyExport(linesOf(textOf(lines)), OPTIONS);
    if (isIntact || !findings.some(isNamedBy)) unnoticed.push({ seed, kind, findings });
  }
  expect(unnoticed).toEqual([]);
});

it('tampering with an export is found when any single character is changed', {
  timeout: 120_000,
}, async () => {
  const text = textOf(exportLog(buildLog([1, 2], LOG.key)));
  const unnoticed: number[] = [];
  // The last line feed only terminates the last line.
  for (let at = 0; at < text.length - 1; at++) {
    const other = text[at] === '7' ? '8' : '7';
    const altered = linesOf(text.slice(0, at) + other + text.slice(at + 1));
    const { isIntact } = await verifyExport(altered, { ...OPTIONS, everySeal: true });
    if (isIntact) unnoticed.push(at);
  }
  expect(unnoticed).toEqual([]);
});

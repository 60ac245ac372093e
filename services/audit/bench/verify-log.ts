/**
 * `node bench/verify-log.ts [records]`: appends the given number of records (default 100,000) to the log of one team
 * from two instances, verifies the whole log, and prints the time and memory that it took. Uses the tests' database.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { collectFindings } from '@tollgate/audit-log/verify/findings';
import { newId } from '@tollgate/contracts/platform/ids';
import { verifyLog } from '../src/verification/verify-log.ts';
import { anEntry, startHarness } from '../test/harness.ts';

const RECORDS = Number(process.argv[2] ?? 100_000);
const AT_ONCE = 2_000;

const harness = await startHarness();
const services = await Promise.all([
  harness.startService({ isStarted: false }),
  harness.startService({ isStarted: false }),
]);
const teamId = newId('team');
const [first] = services;
if (!first) throw new Error('There is no instance.');

const appendingS = await secondsOf(async () => {
  for (let appended = 0; appended < RECORDS; appended += AT_ONCE) {
    const count = Math.min(AT_ONCE, RECORDS - appended);
    const { appender } = services[(appended / AT_ONCE) % services.length]?.app.context ?? first.app.context;
    await Promise.all(Array.from({ length: count }, () => appender.append(anEntry(teamId))));
  }
});
print(`appended ${RECORDS} records in ${appendingS.toFixed(1)} s: ${perSecond(appendingS)}`);
const signingS = await secondsOf(() => first.app.signTreeHeads());
print(`signed their heads in ${signingS.toFixed(1)} s: ${perSecond(signingS)}`);

let peakBytes = 0;
const watching = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
}, 100);
const findings = collectFindings();
const verifyingS = await secondsOf(async () => {
  await verifyLog(first.app.context, teamId, {
    progress: { records_checked: 0, records: 0, heads_checked: 0, heads: 0 },
    findings,
    seen: [],
    signal: new AbortController().signal,
  });
});
await turn();
clearInterval(watching);
print(
  `checked all of it in ${verifyingS.toFixed(1)} s: ${perSecond(verifyingS)}, ${findings.count} findings, at most ${Math.round(peakBytes / 2 ** 20)} MiB of memory`,
);
await harness.stop();

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

function perSecond(seconds: number): string {
  return `${Math.round(RECORDS / seconds)} a second`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

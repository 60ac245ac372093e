/*
 * A separate process that inserts over many connections at once. Each connection waits for the reply before the next
 * insert. The process implements the wire protocol itself, because a driver would be the bottleneck.
 * Usage: insert-load.ts <port> <writers> <milliseconds> <first number>
 * Prints one line of JSON: {acknowledged, elapsedMs, latenciesMs: {p50, p99, max}}.
 */
import { connect } from 'node:net';
import { opMsg } from './op-msg.ts';
import { paymentDocument } from './payment-documents.ts';

const [port, writers, durationMs, firstNumber] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
];
const latencies: number[] = [];
let next = firstNumber;
const startedAt = performance.now();

await Promise.all(Array.from({ length: writers }, writeUntilTheEnd));

const elapsedMs = performance.now() - startedAt;
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
const outcome = {
  acknowledged: latencies.length,
  elapsedMs,
  latenciesMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);

function writeUntilTheEnd(): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    const socket = connect(port, '127.0.0.1', send);
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (answer: Buffer) => {
      assertInserted(answer);
      latencies.push(performance.now() - sentAt);
      if (performance.now() - startedAt < durationMs) send();
      else socket.end(resolve);
    });
    function send(): void {
      sentAt = performance.now();
      socket.write(insertMessage(next++));
    }
  });
}

function insertMessage(n: number): Buffer {
  const body = { insert: 'payments', ordered: true, $db: 'bench' };
  return opMsg(body, 'documents', [paymentDocument(n)]);
}

/** The reply to a successful insert is `{n: 1, ok: 1}` and always has the same length. */
function assertInserted(answer: Buffer): void {
  const isWhole = answer.length === answer.readInt32LE(0);
  if (isWhole && !answer.includes('writeErrors') && !answer.includes('errmsg')) return;
  throw new Error(`an insert was not acknowledged: ${answer.toString('latin1')}`);
}

import type { Collection } from 'mongodb';
import { FIRST_CREATED_AT, MS_BETWEEN, paymentDocument, STATES } from './payment-documents.ts';

const INSERTED_AT_ONCE = 2000;
const PAGE_DOCUMENTS = 50;

/** The median duration of each operation in milliseconds. */
export interface OperationTimes {
  findOne: number;
  page: number;
  update: number;
}

export async function fill(payments: Collection, size: number): Promise<void> {
  for (let first = 0; first < size; first += INSERTED_AT_ONCE) {
    const length = Math.min(INSERTED_AT_ONCE, size - first);
    await payments.insertMany(Array.from({ length }, (_, at) => paymentDocument(first + at)));
  }
}

/** Runs the three indexed operations in turn, at positions spread over the whole collection. */
export async function timeOperations(
  payments: Collection,
  size: number,
  rounds: number,
): Promise<OperationTimes> {
  const times = { findOne: [] as number[], page: [] as number[], update: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const n = Math.floor(Math.random() * size);
    times.findOne.push(await timed(() => payments.findOne({ number: n })));
    // Leaves room for a whole page after the start.
    const start = Math.floor(Math.random() * (size - PAGE_DOCUMENTS * STATES.length));
    const page = payments
      .find({ state: STATES[round % STATES.length], createdAt: { $gte: createdAt(start) } })
      .sort({ createdAt: 1 })
      .limit(PAGE_DOCUMENTS);
    times.page.push(await timed(() => page.toArray()));
    times.update.push(
      await timed(() =>
        payments.updateOne(
          { number: n },
          { $set: { createdAt: createdAt(n + 1) }, $inc: { 'amount.value': 1 } },
        ),
      ),
    );
  }
  return { findOne: median(times.findOne), page: median(times.page), update: median(times.update) };
}

function createdAt(n: number): Date {
  return new Date(FIRST_CREATED_AT + n * MS_BETWEEN);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const result = await run();
  const elapsedMs = performance.now() - startedAt;
  if (result === null || (Array.isArray(result) && result.length !== PAGE_DOCUMENTS)) {
    throw new Error('an operation did not find what is there');
  }
  return elapsedMs;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

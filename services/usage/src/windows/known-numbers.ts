import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

const WORD_BITS = 32;
const WORDS_PER_DOCUMENT = 32;
const NUMBERS_PER_DOCUMENT = WORD_BITS * WORDS_PER_DOCUMENT;
/** 13 months. A window that a gateway sends again after that is reported as too late. */
const KEPT_S = 397 * DAY_S;

/** 1,024 numbers of a gateway: `words.3` has a bit for each of the numbers 96 to 127 of the document. */
interface KnownNumbersDocument {
  _id: string;
  words: Record<string, number>;
  marked_at: Date;
}

type WindowName = Pick<UsageWindow, 'gateway_id' | 'number'>;

export const KNOWN_NUMBER_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { marked_at: 1 },
    expireAfterSeconds: KEPT_S,
    purpose: 'Deletes numbers of windows after 13 months',
  },
];

export type KnownNumbers = ReturnType<typeof createKnownNumbers>;

/**
 * Records which windows were processed, one bit each, long after they expire. The numbers of a gateway have gaps, so a
 * highest number would not suffice.
 */
export function createKnownNumbers(connection: Connection) {
  const collection = connection.collection<KnownNumbersDocument>('known_numbers');

  return {
    async mark(windows: readonly WindowName[], now: Date): Promise<void> {
      const byDocument = Map.groupBy(windows, ({ gateway_id, number }) => documentId(gateway_id, number));
      if (byDocument.size === 0) return;
      await collection.bulkWrite(
        [...byDocument].map(([_id, ofDocument]) => ({
          updateOne: {
            filter: { _id },
            update: { $bit: bitsOf(ofDocument), $max: { marked_at: now } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    async find(gatewayId: string, numbers: readonly number[]): Promise<number[]> {
      const ids = new Set(numbers.map((number) => documentId(gatewayId, number)));
      const documents = await collection.find({ _id: { $in: [...ids] } }).toArray();
      const wordsById = new Map(documents.map(({ _id, words }) => [_id, words]));
      return numbers.filter((number) => {
        const words = wordsById.get(documentId(gatewayId, number));
        return ((words?.[wordOf(number)] ?? 0) & bitOf(number)) !== 0;
      });
    },
  };
}

function documentId(gatewayId: string, number: number): string {
  return `${gatewayId}/${Math.floor(number / NUMBERS_PER_DOCUMENT)}`;
}

function wordOf(number: number): string {
  return String(Math.floor((number % NUMBERS_PER_DOCUMENT) / WORD_BITS));
}

/** As a 32-bit integer, the type that MongoDB's `$bit` requires. */
function bitOf(number: number): number {
  return 1 << (number % WORD_BITS);
}

function bitsOf(windows: readonly WindowName[]): Record<string, { or: number }> {
  const words: Record<string, { or: number }> = {};
  for (const { number } of windows) {
    const path = `words.${wordOf(number)}`;
    words[path] = { or: (words[path]?.or ?? 0) | bitOf(number) };
  }
  return words;
}

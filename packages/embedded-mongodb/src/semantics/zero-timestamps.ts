import { type Document, Timestamp } from '../bson/document.ts';

const MS_PER_SECOND = 1000;
let lastSecond = 0;
let increment = 0;

/** The current time as a timestamp. Two timestamps of the same second differ in their increment. */
function currentTimestamp(): Timestamp {
  const second = Math.max(Math.floor(Date.now() / MS_PER_SECOND), lastSecond);
  increment = second === lastSecond ? increment + 1 : 1;
  lastSecond = second;
  return new Timestamp({ t: second, i: increment });
}

/**
 * Replaces each empty timestamp at the top level with the current time, except the `_id`, as mongod does for inserted and
 * replacing documents: https://www.mongodb.com/docs/v7.0/reference/bson-types/#timestamps
 */
export function withTimestampsFilled(document: Document): Document {
  let filled = document;
  for (const [name, value] of document) {
    if (!(value instanceof Timestamp) || !value.isZero() || name === '_id') continue;
    if (filled === document) filled = new Map(document);
    filled.set(name, currentTimestamp());
  }
  return filled;
}

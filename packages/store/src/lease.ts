import { isDuplicateKey } from './duplicate-key.ts';

/** How the documents of a collection store a lease: the right of one holder to work on the document for a while. */
export interface LeaseFields<Stored> {
  /** Path of the time until which the lease lasts. Others may acquire the document from then on. */
  until: string;
  /** Path of what each holder sets anew, such as a fence. Without it, the end tells holders apart: a later lease ends later. */
  token?: string;
  /** Matches the documents that need work. */
  where?: Partial<Stored>;
  /** Whether a document without an end is free. Otherwise nothing is left to do on it. */
  isFreeWithoutEnd?: boolean;
}

/** An update that may leave out the end of the lease. */
interface LeaseUpdate {
  $set?: object;
  $unset?: object;
  $inc?: object;
  $push?: object;
  $max?: object;
}

export interface LeaseTimes {
  now: Date;
  until: Date;
}

export interface AcquireOptions {
  sort?: Record<string, 1 | -1>;
  update?: LeaseUpdate;
  /** Fields of a document that is inserted if none has this filter. */
  insert?: object;
  /** Also matches a lease that has not expired: one of this holder. */
  own?: object;
}

export type Leases<Stored> = ReturnType<typeof createLeases<Stored & { _id: string }>>;

interface LeasedCollection<Stored> {
  findOneAndUpdate(filter: object, update: object, options: object): Promise<Stored | null>;
}

/** From now on, by a clock of this instance. */
export function leaseTimes(clock: { now(): number }, durationMs: number): LeaseTimes {
  const now = clock.now();
  return { now: new Date(now), until: new Date(now + durationMs) };
}

/**
 * Leases on the documents of a collection. Each step is one conditional update, so that any number of instances can compete. A
 * lease expires, so that another instance continues after a crash. Until then, its holder must renew it or be done: a holder that
 * was too slow writes nothing more.
 */
export function createLeases<Stored extends { _id: string }>(
  collection: LeasedCollection<Stored>,
  { until, token = until, where = {}, isFreeWithoutEnd = false }: LeaseFields<Stored>,
) {
  /** Changes a document while its holder is the same. Null when it has another one. */
  async function change(held: Stored, update: LeaseUpdate): Promise<Stored | null> {
    const team = 'team_id' in held && { team_id: held.team_id };
    const filter = { _id: held._id, ...team, ...where, [token]: valueAt(held, token) };
    return collection.findOneAndUpdate(filter, update, { returnDocument: 'after' });
  }

  function ending(at: Date, update: LeaseUpdate): LeaseUpdate {
    return isWritten(until, update) ? update : { ...update, $set: { ...update.$set, [until]: at } };
  }

  return {
    /** Acquires a document that matches, and whose lease is free or has expired. Null when there is none. */
    async acquire(
      filter: object,
      { now, until: end }: LeaseTimes,
      { sort, update = {}, insert, own }: AcquireOptions = {},
    ): Promise<Stored | null> {
      const hasExpired = { [until]: { $lte: now } };
      const others = [...(isFreeWithoutEnd ? [{ [until]: null }] : []), ...(own ? [own] : [])];
      const isFree = others.length > 0 ? { $or: [hasExpired, ...others] } : hasExpired;
      try {
        return await collection.findOneAndUpdate(
          { $and: [{ ...where, ...filter }, isFree] },
          { ...ending(end, update), ...(insert && { $setOnInsert: insert }) },
          { returnDocument: 'after', ...(sort && { sort }), ...(insert && { upsert: true }) },
        );
      } catch (error) {
        // The document to insert exists and is leased, or a unique index permits one lease of several documents.
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },

    /** Extends the lease, with an update in the same write. Null when another holder has the document: nothing is written. */
    renew: (held: Stored, end: Date, update: LeaseUpdate = {}) => change(held, ending(end, update)),

    /**
     * Ends the lease, with an update in the same write: others may acquire the document from `freeAt` on, or never again if it
     * is null. Null when another holder has the document: nothing is written.
     */
    release(held: Stored, freeAt: Date | null, update: LeaseUpdate = {}): Promise<Stored | null> {
      if (freeAt) return change(held, ending(freeAt, update));
      return change(held, { ...update, $unset: { ...update.$unset, [until]: true } });
    },
  };
}

/** Whether an update sets or removes the field, or one that contains it. */
function isWritten(path: string, { $set = {}, $unset = {} }: LeaseUpdate): boolean {
  return Object.keys({ ...$set, ...$unset }).some((name) => path === name || path.startsWith(`${name}.`));
}

function valueAt(document: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
}

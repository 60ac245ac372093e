import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { ATTEMPT, IS_DUE, leasesOf, type OutboxStore } from './outbox-store.ts';
import type { OutboxModel, Outgoing, OutgoingDocument } from './outgoing.ts';

/** From the first attempt until it is settled: in flight, or waiting for the next attempt. */
const IS_IN_TURN = { ...IS_DUE, in_turn: true } as const;
const TAKE = { update: { ...ATTEMPT, $set: { in_turn: true } } };

export const IN_TURN_INDEX: IndexDeclaration = {
  key: { team_id: 1 },
  unique: true,
  partialFilterExpression: IS_IN_TURN,
  purpose: 'Limits the messages in turn to one for each team',
};

/**
 * A `claim` for a channel in which each team has a receiver of its own. A message stays in turn until it is settled, and the later
 * messages of its team wait behind it. So a receiver gets one message at a time, in order, whichever instances send; and one that
 * hangs or fails is tried by one message only, with the delays of that message.
 */
export function createClaimInTurn<Topic>(model: OutboxModel): OutboxStore<Topic>['claim'] {
  const leases = leasesOf<Topic>(model);

  /** Teams whose message in turn is in flight, or waits for its next attempt. */
  async function listOccupied(now: Date): Promise<(string | null)[]> {
    return model.distinct('team_id', { ...IS_IN_TURN, due_at: { $gt: now } });
  }

  /** The team whose message is due the longest; null when no other team has one. */
  async function findNextTeam(now: Date, occupied: (string | null)[]): Promise<string | null> {
    const longestDue = await model
      .findOne({ ...IS_DUE, due_at: { $lte: now }, team_id: { $gt: '', $nin: occupied } }, { team_id: 1 })
      .sort({ due_at: 1 })
      .lean();
    return longestDue?.team_id ?? null;
  }

  /** The message in turn, or the oldest one. */
  function findNext(teamId: string, now: Date): Promise<OutgoingDocument | null> {
    return model
      .findOne({ ...IS_DUE, team_id: teamId, due_at: { $lte: now } })
      .sort({ attempts: -1, created_at: 1, _id: 1 })
      .lean();
  }

  async function claim(now: Date, leasedUntil: Date): Promise<Outgoing<Topic> | null> {
    const occupied = await listOccupied(now);
    for (;;) {
      const teamId = await findNextTeam(now, occupied);
      if (teamId === null) return null;
      const next = await findNext(teamId, now);
      // Null when another instance was first, with this message or with another one of the team.
      const taken = next && (await leases.acquire(asRead(next), { now, until: leasedUntil }, TAKE));
      if (taken) return taken;
      occupied.push(teamId);
    }
  }

  /** One claim at a time: workers that search together would all find the same message. */
  let lastClaim: Promise<unknown> = Promise.resolve();
  return (now, leasedUntil) => {
    const claimed = lastClaim.then(() => claim(now, leasedUntil));
    lastClaim = claimed.catch(() => undefined);
    return claimed;
  };
}

function asRead({ _id, attempts, due_at }: OutgoingDocument) {
  return { _id, attempts, due_at };
}

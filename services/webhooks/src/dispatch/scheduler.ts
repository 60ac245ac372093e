/**
 * Port: which endpoint gets the next slot of this instance. A slot is one request in flight.
 *
 * Turns. Teams take turns, then the applications of a team (live and sandbox apart), then the endpoints of an application. An endpoint
 * gets a slot for one delivery, then lines up again. Live gets three turns for each one of the sandbox.
 *
 * Shares. Turns alone are not enough: a request can take 15 s, and is not interrupted. So each team, application, and endpoint
 * may occupy only a multiple of the slots that are still free, and some always remain for those that come later:
 *
 *   of 100 slots             fast    slow or untried: live    sandbox
 *   one team alone            75                      25      20
 *   each of two teams         42                      20      16
 *   one application alone     67                      19      15
 *   one endpoint alone        50                       5       5    (untried: 1)
 *   all teams together       100                      75
 *
 * An application divides what its team may have, and an endpoint what its application may have. Five slots of an endpoint need no share
 * of their own. When the receivers of a team become slow, their slots count as its own slow ones: the team gets no further ones, and
 * others lose only free slots.
 *
 * Slow endpoints of any number of teams leave a quarter of the slots. An application tries one untried endpoint at a time, and one
 * more for each fast response: slow teams have one slot each, and not all of them, when the instance notices that they are slow.
 *
 * Order of calls: `enqueue` when an endpoint has a delivery, `next` for a slot, `freeSlot` at the response, `settle` when the attempt is
 * recorded. Until then it counts against the concurrency limit of its endpoint, because a killed process repeats it.
 *
 * Pure bookkeeping, without I/O. Time is injected.
 */
import type { Environment } from '@tollgate/contracts/platform/environment';
import { BASE_CONCURRENCY } from './concurrency-limit.ts';
import type { EndpointQueue } from './endpoint-queue.ts';

export interface SlotLimits {
  /** Slots of this instance: requests that it sends at a time. */
  total: number;
  /** Responses that are not recorded yet. */
  unrecorded: number;
  /** New deliveries to fast endpoints that are claimed before they get a slot. */
  claimedAhead: number;
}

/** How many slots each may occupy for each one that is left. An endpoint may occupy one. */
const SHARE = { team: 3, application: 2 };
/** The part of these shares that slow and untried endpoints may occupy: in the sandbox less, so that the team's live ones find a slot. */
const SLOW_PART: Record<Environment, number> = { live: 1 / 9, sandbox: 1 / 12 };
/** The part of all slots that slow endpoints may occupy, of any number of teams. */
const SLOW_PART_OF_ALL = 3 / 4;
const WEIGHT: Record<Environment, number> = { live: 3, sandbox: 1 };
/** Per slot. A write records as many responses as arrive during the previous one, which takes longer than a fast response. */
const UNRECORDED_PER_SLOT = 4;
/** Per slot. A fast endpoint gets a slot for them within moments, and a claim by itself would be one more write. */
const CLAIMED_AHEAD_PER_SLOT = 4;

export function slotLimits(total: number): SlotLimits {
  return {
    total,
    unrecorded: total * UNRECORDED_PER_SLOT,
    claimedAhead: total * CLAIMED_AHEAD_PER_SLOT,
  };
}

export type Scheduler = ReturnType<typeof createScheduler>;

interface Group {
  id: string;
  slots: number;
  /** Virtual time of its next turn: the lowest is next, and each slot adds the inverse of the weight. */
  turn: number;
}

interface Application extends Group {
  line: Set<EndpointQueue>;
  occupying: Set<EndpointQueue>;
  /** Untried endpoints that may have a slot at a time: one, and one more for each fast response since the last slow one. */
  tries: number;
}

interface Team extends Group {
  applications: Turns<Application>;
  /** With so many free slots or fewer, no endpoint in the line may have one, until something of the team changes, or a sweep finds it. */
  blockedAt: number;
}

export function createScheduler(limits: SlotLimits, now: () => number) {
  const teams = createTurns(newTeam);
  /** The endpoints that wait for a slot, of all teams. */
  const line = new Set<EndpointQueue>();
  let used = 0;
  let unrecorded = 0;
  /** Slots of all slow endpoints, counted once for each slot. */
  let slowOfAll: number | undefined;

  function groupsOf(queue: EndpointQueue) {
    const { team_id, application_id, environment } = queue.destination;
    const team = teams.of(team_id);
    return { team, application: team.applications.of(`${application_id} ${environment}`) };
  }

  /** The first endpoint in the line of the application that may have a slot. */
  function firstOf(team: Team, application: Application, free: number): EndpointQueue | undefined {
    const room = roomFor(free, team.slots, application.slots);
    if (room <= 0) return undefined;
    let rooms: { slow: number; untried: number } | undefined;
    for (const queue of application.line) {
      if (queue.inFlight >= queue.concurrencyLimit(now())) continue;
      if (queue.slots >= Math.max(BASE_CONCURRENCY, room)) continue;
      const speed = queue.speed(now());
      if (speed === 'fast') return queue;
      rooms ??= roomsForNotFast(team, application, SLOW_PART[queue.destination.environment] * free);
      if (rooms[speed] > 0) return queue;
    }
    return undefined;
  }

  function roomsForNotFast(team: Team, application: Application, free: number) {
    const own = slotsOf([application]);
    const ofTeam = slotsOf(team.applications.all());
    const room = roomFor(free, ofTeam.slow + ofTeam.untried, own.slow + own.untried);
    if (room <= 0) return { slow: 0, untried: 0 };
    slowOfAll ??= sum(teams.all(), ({ applications }) => slotsOf(applications.all()).slow);
    return { slow: limits.total * SLOW_PART_OF_ALL - slowOfAll, untried: application.tries - own.untried };
  }

  function slotsOf(applications: Iterable<Application>) {
    const slots = { fast: 0, slow: 0, untried: 0 };
    for (const { occupying } of applications)
      for (const queue of occupying) slots[queue.speed(now())] += queue.slots;
    return slots;
  }

  return {
    /** Puts the endpoint at the end of the line of its application, unless it is in the line. */
    enqueue(queue: EndpointQueue): void {
      const { team, application } = groupsOf(queue);
      team.blockedAt = 0;
      teams.join(team);
      team.applications.join(application);
      application.line.add(queue);
      line.add(queue);
    },

    /** Removes the endpoint from the line whose turn it is. It occupies a slot until `freeSlot`. Null when none may have one. */
    next(): EndpointQueue | null {
      const free = limits.total - used;
      if (free <= 0 || unrecorded >= limits.unrecorded) return null;
      slowOfAll = undefined;
      for (const team of teams.inTurn()) {
        if (free <= team.blockedAt) continue;
        for (const application of team.applications.inTurn()) {
          const queue = firstOf(team, application, free);
          if (!queue) continue;
          const weight = WEIGHT[queue.destination.environment];
          teams.serve(team, weight);
          team.applications.serve(application, weight);
          application.line.delete(queue);
          line.delete(queue);
          if (application.line.size === 0) team.applications.leave(application);
          if (!team.applications.isAnyWaiting()) teams.leave(team);
          application.occupying.add(queue);
          queue.occupySlot();
          used += 1;
          return queue;
        }
        team.blockedAt = free;
      }
      return null;
    },

    /** The endpoint has responded. Its attempt is in flight until `settle`. */
    freeSlot(queue: EndpointQueue): void {
      const { team, application } = groupsOf(queue);
      queue.freeSlot();
      if (queue.slots === 0) application.occupying.delete(queue);
      const speed = queue.speed(now());
      if (speed === 'fast') application.tries += 1;
      if (speed === 'slow') {
        application.tries = 1;
        for (const one of teams.all()) one.blockedAt = 0;
      }
      application.slots -= 1;
      team.slots -= 1;
      team.blockedAt = 0;
      used -= 1;
      unrecorded += 1;
      if (application.slots === 0 && application.line.size === 0) team.applications.delete(application);
      if (team.applications.size() === 0) teams.delete(team);
    },

    /** The attempt whose slot was freed is recorded, or did not take place. */
    settle(queue: EndpointQueue): void {
      queue.settle();
      unrecorded -= 1;
      const team = teams.find(queue.destination.team_id);
      if (team) team.blockedAt = 0;
    },

    /** Slots in use. */
    slots: () => used,
    /** Attempts that are not recorded yet. */
    inFlight: () => used + unrecorded,
    /** Whether no attempt to the endpoint is in flight, and it is not in the line. */
    isIdle: (queue: EndpointQueue) => queue.inFlight === 0 && !line.has(queue),

    /**
     * Returns a function that tells, for one new delivery after the other, whether it is sent within moments: the endpoint is
     * fast, below its limit, and has no older deliveries that are not claimed. Fan-out stores it as claimed, which saves a write.
     */
    foresee(): (queue: EndpointQueue) => boolean {
      const foreseen = new Map<EndpointQueue, number>();
      let ahead = limits.claimedAhead - sum(line, ({ claimedAhead }) => claimedAhead);
      return (queue) => {
        const own = foreseen.get(queue) ?? queue.claimedAhead;
        const isBelowLimit = queue.inFlight + own < queue.concurrencyLimit(now());
        if (ahead <= 0 || !isBelowLimit || queue.speed(now()) !== 'fast' || queue.mayHaveUnclaimed())
          return false;
        foreseen.set(queue, own + 1);
        ahead -= 1;
        return true;
      };
    },
  };
}

/** How many slots are left for an application, besides its own: at most as many as are free. */
function roomFor(free: number, ofTeam: number, ofApplication: number): number {
  const left = Math.min(free, SHARE.team * free - ofTeam);
  return Math.min(left, SHARE.application * left - ofApplication);
}

function newTeam(id: string): Team {
  return { id, slots: 0, turn: 0, applications: createTurns(newApplication), blockedAt: 0 };
}

function newApplication(id: string): Application {
  return { id, slots: 0, turn: 0, line: new Set(), occupying: new Set(), tries: 1 };
}

function sum<Item>(items: Iterable<Item>, countOf: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += countOf(item);
  return total;
}

type Turns<Member extends Group> = ReturnType<typeof createTurns<Member>>;

/** Weighted round robin over groups, by virtual time. */
function createTurns<Member extends Group>(create: (id: string) => Member) {
  const members = new Map<string, Member>();
  /** Served last at the end. */
  const waiting = new Set<Member>();
  /** Virtual time: the turn of the group that was served last. */
  let current = 0;

  return {
    all: () => members.values(),
    size: () => members.size,
    find: (id: string) => members.get(id),
    of(id: string): Member {
      const member = members.get(id) ?? create(id);
      members.set(id, member);
      return member;
    },
    delete: ({ id }: Member) => members.delete(id),

    /** The group has something to send. It has saved no turns meanwhile. */
    join(member: Member): void {
      member.turn = Math.max(member.turn, current);
      waiting.add(member);
    },
    leave: (member: Member) => waiting.delete(member),
    isAnyWaiting: () => waiting.size > 0,
    /** The waiting groups in the order of their turns. Almost sorted, which is quick. */
    inTurn: () => [...waiting].sort((one, other) => one.turn - other.turn),

    serve(member: Member, weight: number): void {
      current = Math.max(current, member.turn);
      member.turn = current + 1 / weight;
      member.slots += 1;
      waiting.delete(member);
      waiting.add(member);
    },
  };
}

import { Readable } from 'node:stream';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Logger } from '@tollgate/runtime/logger';
import { createOpenSlots } from './open-slots.ts';

export const MAX_STREAMS_PER_SESSION = 10;
/** In all sessions and logins of a member, or of an API token. A tenth of the team's, so that nobody takes the share of others. */
export const MAX_STREAMS_PER_ACTOR = 20;
const MAX_STREAMS_PER_TEAM = 200;
const MAX_STREAMS = 2_000;
/**
 * Unread bytes after which a stream is closed. Changes are a few hundred bytes: this is minutes of a busy team, or a
 * client that is gone.
 */
const MAX_UNREAD_BYTES = 256 * 1024;
/** So often that a page notices within two seconds that its gateway hangs. It also keeps idle connections open in proxies. */
const HEARTBEAT_INTERVAL_MS = 1_000;
/** An event instead of a comment: a browser does not tell pages about comments. */
const HEARTBEAT = 'event: heartbeat\ndata: {}\n\n';
/** How long a browser waits before it reconnects. */
const RECONNECT_DELAY_MS = 3_000;
const RETRY_AFTER_STOPPING_S = 1;

export interface Viewer {
  sessionId: string;
  /** The member or API token. */
  actorId: string;
  teamId: string;
  /** Null means both. */
  environment: Environment | null;
}

/** Only streams of this team and environment get the change. */
export interface Audience {
  team_id: string;
  environment: Environment;
}

/** Open streams of this gateway. */
export interface TeamStreams {
  /** Opens a stream of server-sent events as text. Throws rate-limited, or unavailable during shutdown. */
  open(viewer: Viewer): Readable;
  /** False when no stream is open. */
  hasViewers(): boolean;
  /** Writes a frame to the streams of this team that show this environment or both. */
  send(audience: Audience, frame: string): void;
  /** Sends the greeting again: changes may have been missed while NATS was disconnected. */
  greetAll(): void;
  /** Ends a stream that `open` returned, after its buffered frames are sent. */
  end(frames: Readable): void;
  /** Ends every stream and rejects new ones. */
  close(): void;
}

/**
 * Fans changes out to the open streams of a team. A change is a hint: none is stored or replayed, and one may be sent
 * twice. Clients that need the current state read the resource.
 */
export function createTeamStreams(deps: { logger: Logger; heartbeatIntervalMs?: number }): TeamStreams {
  const { logger, heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS } = deps;
  const slots = createOpenSlots('streams');
  const streams = new Map<Readable, Viewer>();
  let stopping = false;
  const heartbeat = setInterval(() => {
    for (const frames of streams.keys()) write(frames, HEARTBEAT);
  }, heartbeatIntervalMs);
  heartbeat.unref();

  function write(frames: Readable, text: string): void {
    frames.push(text);
    if (frames.readableLength > MAX_UNREAD_BYTES) frames.destroy(new Error('The client reads too slowly.'));
  }

  function end(frames: Readable): void {
    if (streams.delete(frames)) frames.push(null);
  }

  function greet(frames: Readable, { environment }: Viewer): void {
    write(frames, `event: hello\ndata: ${JSON.stringify({ environment })}\n\n`);
  }

  return {
    open(viewer) {
      if (stopping) {
        throw new Problem('unavailable', 'This gateway is shutting down. Reconnect.', {
          retryAfterS: RETRY_AFTER_STOPPING_S,
        });
      }
      const giveBack = slots.take({
        [viewer.actorId]: MAX_STREAMS_PER_ACTOR,
        // The session and the actor of an API token have the same id, and this lower limit applies.
        [viewer.sessionId]: MAX_STREAMS_PER_SESSION,
        [viewer.teamId]: MAX_STREAMS_PER_TEAM,
        all: MAX_STREAMS,
      });
      const frames = new Readable({ read() {} });
      streams.set(frames, viewer);
      frames.on('close', () => {
        streams.delete(frames);
        giveBack();
      });
      frames.on('error', (err) => logger.warn({ team_id: viewer.teamId, err }, 'event stream aborted'));
      write(frames, `retry: ${RECONNECT_DELAY_MS}\n`);
      greet(frames, viewer);
      return frames;
    },

    hasViewers: () => streams.size > 0,

    send(audience, frame) {
      for (const [frames, viewer] of streams) {
        const concerns = viewer.environment === null || viewer.environment === audience.environment;
        if (viewer.teamId === audience.team_id && concerns) write(frames, frame);
      }
    },

    greetAll() {
      for (const [frames, viewer] of streams) greet(frames, viewer);
    },

    end,

    close() {
      stopping = true;
      clearInterval(heartbeat);
      for (const frames of streams.keys()) end(frames);
    },
  };
}

import { Readable } from 'node:stream';
import type { Environment } from '@tollgate/contracts/environment';
import { Problem } from '@tollgate/contracts/problem';
import type { Logger } from '@tollgate/runtime/logger';
import { createOpenSlots } from './open-slots.ts';

export const MAX_STREAMS_PER_SESSION = 10;
const MAX_STREAMS_PER_TEAM = 200;
const MAX_STREAMS = 2_000;
/** What a reader may leave lying. Changes are a few hundred bytes: this is minutes of a busy team, or a reader that is gone. */
export const MAX_UNREAD_BYTES = 256 * 1024;
/** Below the minute after which proxies usually close a connection that says nothing. */
const HEARTBEAT_INTERVAL_MS = 15_000;
/** How long a browser waits before it connects again. */
const RECONNECT_DELAY_MS = 3_000;
const RETRY_AFTER_STOPPING_S = 1;

export interface Viewer {
  sessionId: string;
  teamId: string;
  /** Null for both. */
  environment: Environment | null;
}

/** Whose change it is: nobody else gets to see it. */
export interface Audience {
  team_id: string;
  environment: Environment;
}

/** The open streams of this gateway. */
export interface TeamStreams {
  /** A new stream, as text in the format of server-sent events. Throws rate-limited, or unavailable while stopping. */
  open(viewer: Viewer): Readable;
  /** False while nobody looks on. */
  hasViewers(): boolean;
  /** Writes a frame to the streams of this team that are of this environment or of both. */
  tell(audience: Audience, frame: string): void;
  /** Says hello again: changes may have passed unheard while NATS was unavailable. */
  greetAll(): void;
  /** Ends one that `open` made, once it has said what it still must say. */
  end(frames: Readable): void;
  /** Ends every stream; none is opened any more. */
  close(): void;
}

/**
 * Fans changes out to people of the team who look on. A stream is a hint that something changed: changes pass as they happen, nothing is kept
 * or replayed, and one may come twice. Anyone who needs to know reads the thing itself.
 */
export function createTeamStreams(deps: { logger: Logger; heartbeatIntervalMs?: number }): TeamStreams {
  const { logger, heartbeatIntervalMs = HEARTBEAT_INTERVAL_MS } = deps;
  const slots = createOpenSlots('streams');
  const streams = new Map<Readable, Viewer>();
  let stopping = false;
  const heartbeat = setInterval(() => {
    for (const frames of streams.keys()) write(frames, ': heartbeat\n\n');
  }, heartbeatIntervalMs);
  heartbeat.unref();

  function write(frames: Readable, text: string): void {
    frames.push(text);
    if (frames.readableLength > MAX_UNREAD_BYTES) frames.destroy(new Error('The reader is too slow.'));
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

    tell(audience, frame) {
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

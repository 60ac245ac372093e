import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfiguredComponent } from '../src/component.ts';
import { runProcess } from '../src/run-process.ts';

/** What a component of a test does. */
export interface ScriptedComponent {
  name: string;
  drainDelayMs?: number;
  /** Null: it never runs. */
  startMs?: number | null;
  /** Null: it never stops. */
  stopMs?: number | null;
  fails?: 'to start' | 'to stop' | 'while it runs';
}

export interface Script {
  stages: ScriptedComponent[][];
  stageTimeoutMs?: number;
}

const say = (text: string) => writeSync(1, `${text}\n`);

function scripted({ name, ...script }: ScriptedComponent): ConfiguredComponent {
  const { drainDelayMs = 0, startMs = 0, stopMs = 0, fails } = script;
  return {
    drainDelayMs,
    async start() {
      await after(startMs);
      if (fails === 'to start') throw new Error('mongodb://app:hunter2@db is unreachable');
      if (fails === 'while it runs') setImmediate(() => Promise.reject(new Error('a fatal mistake')));
      say(`${name} runs`);
      return {
        becomeUnready: () => say(`${name} is unready`),
        async stop() {
          await after(stopMs);
          if (fails === 'to stop') throw new Error('a lost connection');
          say(`${name} has stopped`);
        },
      };
    },
  };
}

async function after(timeMs: number | null): Promise<void> {
  // Like a server, it keeps the process running.
  setInterval(() => undefined, 60_000);
  await (timeMs === null ? new Promise(() => undefined) : sleep(timeMs));
}

/** A process that runs the components of the script in its argument, and says what they do. */
const { stages, ...options } = JSON.parse(process.argv[2] ?? '') as Script;
await runProcess('test', () => stages.map((stage) => stage.map(scripted)), options);

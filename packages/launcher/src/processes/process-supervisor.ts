import { join } from 'node:path';
import { LauncherFailure } from '../launcher-failure.ts';
import { openProcessLog, type ProcessLog } from './process-log.ts';
import {
  DEFAULT_TIMING,
  type ProcessSpec,
  type SupervisedProcess,
  superviseProcess,
  type Timing,
} from './supervised-process.ts';

export interface RunningProcess {
  name: string;
  pid: number;
  /** Command line by which a later launcher recognizes the process. */
  commandLine: string;
}

export interface ProcessSupervisor {
  /** Starts the processes of one stage together and waits until all are ready. Stages stop in reverse order. */
  startStage(specs: ProcessSpec[]): Promise<void>;
  running(): RunningProcess[];
  /** Stops all processes, the last stage first. Resolves when all have ended. */
  stop(): Promise<void>;
}

/** Runs the processes of the platform: writes their logs to files, restarts those that die, and stops all in order. */
export function createProcessSupervisor(options: {
  logsDir: string;
  say(line: string): void;
  /** Called with the running processes whenever they change. */
  onChange(running: RunningProcess[]): void;
  timing?: Partial<Timing>;
}): ProcessSupervisor {
  const { logsDir, say, onChange } = options;
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const stages: { spec: ProcessSpec; process: SupervisedProcess; log: ProcessLog }[][] = [];
  let stopping: Promise<void> | null = null;

  const running = () =>
    stages
      .flat()
      .flatMap(({ spec, process: { name, pid } }) =>
        pid === null ? [] : [{ name, pid, commandLine: [spec.command, ...spec.args].join(' ') }],
      );

  async function stopStages(): Promise<void> {
    for (const stage of stages.toReversed()) {
      await Promise.all(stage.map(({ process }) => process.stop()));
    }
    for (const { log } of stages.flat()) log.close();
  }

  return {
    running,
    async startStage(specs) {
      if (stopping !== null) throw new LauncherFailure('The platform is being stopped.');
      const stage = specs.map((spec) => {
        const log = openProcessLog(join(logsDir, `${spec.name}.log`));
        const process = superviseProcess(spec, { log, timing, say, onPidChange: () => onChange(running()) });
        return { spec, process, log };
      });
      stages.push(stage);
      await Promise.all(stage.map(({ process }) => process.start()));
    },
    stop() {
      stopping ??= stopStages();
      return stopping;
    },
  };
}

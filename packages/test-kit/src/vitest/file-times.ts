import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

const MAX_REASON_LENGTH = 300;

/** What a run measured. `.ci/run` prints the summary of several runs from these files. */
export interface RunResult {
  passed: number;
  failed: number;
  /** Full titles, each with the first line of its first error. */
  failures: string[];
  files: FileTime[];
}

interface FileTime {
  file: string;
  cpuSeconds: number;
  wallSeconds: number;
}

/** Prints the CPU and wall seconds of each test file at the end of a run, the longest first, and stores them in `path`. */
export function fileTimes(path: string): Reporter {
  return {
    onTestRunEnd(modules) {
      const result = resultOf(modules);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(result));
      process.stdout.write(`${describe(result).join('\n')}\n`);
    },
  };
}

function resultOf(modules: readonly TestModule[]): RunResult {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failed = tests.filter((test) => test.result().state === 'failed');
  const brokenFiles = modules.filter((module) => module.errors().length > 0);
  return {
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: failed.length + brokenFiles.length,
    failures: [
      ...brokenFiles.map((module) => pathOf(module) + reasonIn(module.errors())),
      ...failed.map((test) => `${pathOf(test.module)} > ${test.fullName}${reasonIn(test.result().errors)}`),
    ],
    files: modules.map((module) => {
      const { cpuSeconds = 0, wallSeconds = 0 } = module.meta();
      return { file: pathOf(module), cpuSeconds, wallSeconds };
    }),
  };
}

function reasonIn(errors: readonly { message: string }[] = []): string {
  const [line = ''] = stripVTControlCharacters(errors[0]?.message ?? '').split('\n');
  return `: ${line.slice(0, MAX_REASON_LENGTH)}`;
}

function pathOf({ project, moduleId }: TestModule): string {
  return relative(project.vitest.config.root, moduleId);
}

function describe({ files }: RunResult): string[] {
  const byWallTime = files.toSorted((one, other) => other.wallSeconds - one.wallSeconds);
  return ['   CPU s  wall s', ...byWallTime.map(row)];
}

function row({ file, cpuSeconds, wallSeconds }: FileTime): string {
  return `${cpuSeconds.toFixed(1).padStart(8)}${wallSeconds.toFixed(1).padStart(8)}  ${file}`;
}

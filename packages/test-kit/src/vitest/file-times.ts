import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

const MAX_REASON_LENGTH = 300;

/** `.ci/run` prints the summary of several runs from these files. */
export interface RunResult {
  passed: number;
  failed: number;
  /** Full titles, each with the first line of its first error. */
  failures: string[];
  /** What the tests ran on. */
  servers: string;
}

/** Prints the CPU and wall seconds of each test file at the end of a run, the longest first, and stores the result in `path`. */
export function fileTimes(path: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(resultOf(modules, unhandledErrors)));
      process.stdout.write(`${describeTimes(modules).join('\n')}\n`);
    },
  };
}

function resultOf(
  modules: readonly TestModule[],
  unhandledErrors: readonly { message: string }[],
): RunResult {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failed = tests.filter((test) => test.result().state === 'failed');
  const brokenFiles = modules.filter((module) => module.errors().length > 0);
  const failures = [
    ...unhandledErrors.map((error) => `unhandled error${reasonIn([error])}`),
    ...brokenFiles.map((module) => pathOf(module) + reasonIn(module.errors())),
    ...failed.map((test) => `${pathOf(test.module)} > ${test.fullName}${reasonIn(test.result().errors)}`),
  ];
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  // Set by `npm test` and `npm run test:system`.
  const servers = process.env['TEST_SERVERS'] ?? 'unknown servers';
  return { passed, failed: failures.length, failures, servers };
}

function reasonIn(errors: readonly { message: string }[] = []): string {
  const [line = ''] = stripVTControlCharacters(errors[0]?.message ?? '').split('\n');
  return `: ${line.slice(0, MAX_REASON_LENGTH)}`;
}

function pathOf({ project, moduleId }: TestModule): string {
  return relative(project.vitest.config.root, moduleId);
}

function describeTimes(modules: readonly TestModule[]): string[] {
  const times = modules.map((module) => ({
    cpuSeconds: 0,
    wallSeconds: 0,
    ...module.meta(),
    file: pathOf(module),
  }));
  const byWallTime = times.toSorted((one, other) => other.wallSeconds - one.wallSeconds);
  return ['   CPU s  wall s', ...byWallTime.map(row)];
}

function row({ file, cpuSeconds, wallSeconds }: { file: string; cpuSeconds: number; wallSeconds: number }) {
  return `${cpuSeconds.toFixed(1).padStart(8)}${wallSeconds.toFixed(1).padStart(8)}  ${file}`;
}

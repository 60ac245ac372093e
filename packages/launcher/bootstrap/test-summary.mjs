import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Describes what `turbo run test --summarize` recorded: the time of each workspace, the slowest first, and which failed.
 * @param {string} root folder of the checkout
 * @param {number} sinceMs only runs that started at this time (Unix time in milliseconds) or later
 * @returns {Promise<string[]>} lines
 */
export async function summarizeTests(root, sinceMs) {
  const tasks = (await readRuns(join(root, '.turbo', 'runs')))
    .filter(({ execution }) => execution.startTime >= sinceMs)
    .flatMap((run) => run.tasks)
    .filter(({ execution }) => execution)
    .map(({ package: workspace, cache, execution }) => ({
      workspace,
      seconds: (execution.endTime - execution.startTime) / 1000,
      outcome: execution.exitCode !== 0 ? 'FAILED' : cache.status === 'HIT' ? 'cached' : '',
    }))
    .sort((a, b) => b.seconds - a.seconds);
  return tasks.map(({ workspace, seconds, outcome }) =>
    `${seconds.toFixed(1).padStart(7)} s  ${workspace.padEnd(28)}${outcome}`.trimEnd(),
  );
}

/** @param {string} folder */
async function readRuns(folder) {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
}

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitForExit } from './child-process.mjs';

const GRACE_MS = 5_000;
const POLL_MS = 50;

/**
 * Runs the launcher on Node 26. The two processes watch each other over the IPC channel: when the bootstrap disappears,
 * the launcher stops everything; when the launcher is killed, the bootstrap ends the processes that it left.
 * @param {string} root folder of the checkout
 * @param {string} node path of Node 26
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function startPlatform(root, node, args) {
  const child = spawn(node, [join(root, 'packages/launcher/src/main.ts'), ...args], {
    cwd: root,
    // The cache serves the launcher and the processes that it starts. Compiling the sources takes a third of their start.
    env: { NODE_COMPILE_CACHE: join(root, '.cache', 'compile-cache'), ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  /** @type {number[]} */
  let started = [];
  child.on('message', (message) => {
    if (Array.isArray(message?.pids)) started = message.pids;
  });
  const exitCode = await waitForExit(child);
  await endProcesses(started);
  return exitCode;
}

/**
 * A launcher that stops cleanly reports an empty list first, so the remaining processes are orphans. They end in
 * reverse order of their start: a service that loses its database and NATS first takes long to exit.
 */
async function endProcesses(pids) {
  const deadline = Date.now() + GRACE_MS;
  for (const pid of pids.toReversed()) {
    signal(pid, 'SIGTERM');
    await untilGone(pid, deadline);
  }
  for (const pid of pids) signal(pid, 'SIGKILL');
  for (const pid of pids) await untilGone(pid, Date.now() + GRACE_MS);
}

async function untilGone(pid, deadline) {
  while (isAlive(pid) && Date.now() < deadline) await delay(POLL_MS);
}

/** A dead process keeps its pid until its parent reaps it, which may take the init of a container seconds. */
function isAlive(pid) {
  if (!signal(pid, 0)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return process.platform !== 'linux'; // macOS has no /proc
  }
}

/** @returns {boolean} whether the process exists */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

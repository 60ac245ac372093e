import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitForExit } from './child-process.mjs';

const GRACE_MS = 5_000;
const POLL_MS = 50;

/**
 * Runs the launcher on Node 26. The two watch each other over the IPC channel: a launcher whose bootstrap vanishes stops
 * everything, and when the launcher itself is killed, this process ends the processes it has left behind.
 * @param {string} root the checkout
 * @param {string} node path of Node 26
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function startPlatform(root, node, args) {
  const child = spawn(node, [join(root, 'packages/launcher/src/main.ts'), ...args], {
    cwd: root,
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
 * A launcher that stops cleanly reports an empty list first, so that what is left here was orphaned. The last one that was
 * started ends first: a service that has lost its database and NATS before it could finish takes long to give up.
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

/** A dead process keeps its number until its parent takes note, and the init of a container may take seconds for that. */
function isAlive(pid) {
  if (!signal(pid, 0)) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return process.platform !== 'linux'; // macOS has no /proc
  }
}

/** @returns {boolean} whether there is such a process */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

import { mkdirSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const HEARTBEAT_MS = 1_000;
/** A lock that was not renewed for this long belongs to a process that was killed. */
const ABANDONED_MS = 10_000;
const POLL_MS = 250;

/**
 * Runs `task` while no other process does so for the same checkout: two concurrent installs into one node_modules
 * corrupt each other. A heartbeat, unlike a process id, also works across containers that share the folder.
 * @param {string} folder folder of the lock; created if missing
 * @param {() => Promise<void>} task
 */
export async function withInstallLock(folder, task) {
  const lock = join(folder, 'install.lock');
  mkdirSync(folder, { recursive: true });
  let announced = false;
  while (!take(lock)) {
    if (isAbandoned(lock)) {
      clearAbandoned(lock);
      continue;
    }
    if (!announced) process.stdout.write('Another start is installing packages; waiting for it…\n');
    announced = true;
    await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => touch(lock), HEARTBEAT_MS);
  try {
    await task();
  } finally {
    clearInterval(heartbeat);
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Exactly one of many concurrent processes succeeds with mkdir. */
function take(path) {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function touch(path) {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The .cache folder was removed. The install continues without a lock.
  }
}

function isAbandoned(path) {
  try {
    return Date.now() - statSync(path).mtimeMs > ABANDONED_MS;
  } catch {
    return false; // The lock was released in the meantime.
  }
}

/**
 * Takes its own lock and checks again: if two processes saw the same abandoned lock, the slower one would otherwise
 * remove the lock that the faster one has acquired since.
 */
function clearAbandoned(lock) {
  const clearing = `${lock}.clearing`;
  if (!take(clearing)) {
    if (isAbandoned(clearing)) rmSync(clearing, { recursive: true, force: true });
    return;
  }
  try {
    if (isAbandoned(lock)) rmdirSync(lock);
  } finally {
    rmSync(clearing, { recursive: true, force: true });
  }
}

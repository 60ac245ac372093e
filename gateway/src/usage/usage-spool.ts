import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isId, newId } from '@tollgate/contracts/platform/ids';
import { type FileLock, tryLockFile } from '@tollgate/runtime/file-lock';

/** Limit of gateways that share one parent folder, above what one machine runs. */
const MAX_INSTANCES = 64;
const WINDOW_FILE = /^(\d{12})\.window$/;

/** A window that is open for writing. */
export interface OpenWindow {
  readonly number: number;
  /** Returns when the operating system has the lines: they outlive the process, but not a power loss. */
  append(lines: string): void;
  close(): void;
}

/**
 * Windows of one gateway instance that are not confirmed as stored elsewhere, each in an append-only file. Numbers
 * increase by one. The newest file is never removed, so that a number is never used twice.
 */
export interface UsageSpool {
  /** Permanent id of this folder, and so of the instance that uses it. */
  readonly gatewayId: string;
  /** Oldest first, without the open one. */
  closedWindows(): number[];
  read(number: number): string;
  openNext(): OpenWindow;
  /** Removes it from the list. Its file is removed once there is a newer one. */
  forget(number: number): void;
  release(): void;
}

/**
 * Opens the first instance folder in `parent` that no other gateway has open, and creates it if it is missing: two
 * gateways with one folder would use the same numbers. This instance also ships the windows that an earlier gateway
 * left in the folder.
 */
export function openUsageSpool(parent: string): UsageSpool {
  const { folder, lock } = claimFolder(parent);
  const gatewayId = readOrCreateId(join(folder, 'gateway-id'));
  const pathOf = (number: number) => join(folder, `${String(number).padStart(12, '0')}.window`);

  const found = readdirSync(folder).flatMap((name) => {
    const match = WINDOW_FILE.exec(name);
    return match ? [Number(match[1])] : [];
  });
  const closed = new Set(found.sort((a, b) => a - b));
  let newest = found.at(-1) ?? 0;
  /** Forgotten, but still the newest. */
  let kept: number | null = null;

  /**
   * A file that cannot be removed returns to the list: it is shipped again, and the usage service recognizes its
   * number.
   */
  function removeKept(): void {
    if (kept === null) return;
    const number = kept;
    kept = null;
    try {
      unlinkSync(pathOf(number));
    } catch {
      closed.add(number);
    }
  }

  return {
    gatewayId,
    closedWindows: () => [...closed],
    read: (number) => readFileSync(pathOf(number), 'utf8'),

    openNext() {
      newest += 1;
      const number = newest;
      const file = openSync(pathOf(number), 'ax', 0o600);
      removeKept();
      return {
        number,
        append(lines) {
          const bytes = Buffer.from(lines);
          for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
        },
        close() {
          closeSync(file);
          closed.add(number);
        },
      };
    },

    forget(number) {
      if (!closed.delete(number)) return;
      if (number === newest) kept = number;
      else unlinkSync(pathOf(number));
    },

    release: () => lock.release(),
  };
}

function claimFolder(parent: string): { folder: string; lock: FileLock } {
  for (let instance = 1; instance <= MAX_INSTANCES; instance++) {
    const folder = join(parent, `instance-${instance}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = tryLockFile(join(folder, 'lock'));
    if (lock) return { folder, lock };
  }
  throw new Error(
    `${parent} already has the usage of ${MAX_INSTANCES} gateways. Set USAGE_SPOOL_DIR to another folder.`,
  );
}

function readOrCreateId(path: string): string {
  try {
    const id = readFileSync(path, 'utf8').trim();
    if (isId('gatewayInstance', id)) return id;
    throw new Error(
      `${path} does not contain a gateway ID. Restore it from a backup, or set USAGE_SPOOL_DIR to an empty folder.`,
    );
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  }
  const id = newId('gatewayInstance');
  writeFileSync(path, `${id}\n`, { flag: 'wx', mode: 0o600 });
  return id;
}

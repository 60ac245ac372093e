import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const WINDOW_FILE = /^(\d{12})\.window$/;
const LINE_FEED = 0x0a;
const NONE: ReadonlySet<number> = new Set();

/** The windows of usage in a spool: their numbers by instance folder. */
export type SpooledWindows = Map<string, Set<number>>;

/** Lists the windows that gateways keep until they are stored. Empty if the folder does not exist. */
export async function listWindows(spool: string): Promise<SpooledWindows> {
  const windows: SpooledWindows = new Map();
  for (const instance of await namesIn(spool)) {
    const numbers = (await namesIn(join(spool, instance))).flatMap((name) => {
      const match = WINDOW_FILE.exec(name);
      return match ? [Number(match[1])] : [];
    });
    windows.set(instance, new Set(numbers));
  }
  return windows;
}

/** Copies the windows and the identities of the instances. Returns the copied windows. */
export async function copyUsage(spool: string, target: string): Promise<SpooledWindows> {
  const copied: SpooledWindows = new Map();
  for (const [instance, numbers] of await listWindows(spool)) {
    const [from, to] = [join(spool, instance), join(target, instance)];
    const id = await readIfPresent(join(from, 'gateway-id'));
    // An instance that has no identity yet has recorded nothing.
    if (id === null) continue;
    await mkdir(to, { recursive: true, mode: 0o700 });
    await writeFile(join(to, 'gateway-id'), id, { mode: 0o600 });
    copied.set(instance, new Set());
    for (const number of numbers) {
      const name = `${String(number).padStart(12, '0')}.window`;
      const bytes = await readIfPresent(join(from, name));
      if (bytes === null) continue;
      await writeFile(join(to, name), wholeLines(bytes), { mode: 0o600 });
      copied.get(instance)?.add(number);
    }
  }
  return copied;
}

/**
 * Whether the copy has every window that was in the spool at some time between `before` and the copy. A gateway removes a window when
 * it is stored; a snapshot of the database in between may lack a window that the copy lacks, too. Numbers increase by one.
 */
export function hasEveryWindow(copied: SpooledWindows, before: SpooledWindows): boolean {
  return [...new Set([...copied.keys(), ...before.keys()])].every((instance) => {
    const [had, has] = [before.get(instance) ?? NONE, copied.get(instance) ?? NONE];
    const firstNew = newestOf(had) + 1;
    const newest = newestOf(has);
    for (const number of had) if (!has.has(number)) return false;
    for (let number = firstNew; number <= newest; number++) if (!has.has(number)) return false;
    return true;
  });
}

/** Zero if there is none. A loop: after a long outage, there are more windows than a function has arguments. */
function newestOf(numbers: ReadonlySet<number>): number {
  let newest = 0;
  for (const number of numbers) newest = Math.max(newest, number);
  return newest;
}

/** A gateway may be writing the last line. */
function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
}

async function namesIn(folder: string): Promise<string[]> {
  return (await ifPresent(() => readdir(folder))) ?? [];
}

function readIfPresent(path: string): Promise<Buffer | null> {
  return ifPresent(() => readFile(path));
}

async function ifPresent<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

import { execFile } from 'node:child_process';

const PROBE_TIMEOUT_MS = 10_000;

export interface ServerVersion {
  major: number;
  minor: number;
  patch: number;
}

/** Older servers lack JetStream features that the bus needs. */
export const OLDEST_SUPPORTED: ServerVersion = { major: 2, minor: 9, patch: 10 };

/** The release that `npm start` downloads. The image, compose, and the values of the chart of NATS name the same. */
export const RELEASE: ServerVersion = { major: 2, minor: 12, patch: 8 };

/** The newest release on which the tests ran. */
export const NEWEST_TESTED: ServerVersion = { major: 2, minor: 15, patch: 3 };

/**
 * Reads the version of a nats-server executable.
 * @returns null if it does not run or is another program
 */
export async function readServerVersion(executable: string): Promise<ServerVersion | null> {
  const output = await new Promise<string>((resolve) => {
    execFile(executable, ['--version'], { timeout: PROBE_TIMEOUT_MS }, (error, stdout) => {
      resolve(error ? '' : stdout);
    });
  });
  return parseServerVersion(output);
}

/** Parses `nats-server: v2.12.8`, with an optional suffix (`v2.12.0-RC.1`). */
export function parseServerVersion(text: string): ServerVersion | null {
  const [, version = ''] = /nats-server: v(\S+)/.exec(text) ?? [];
  return parseVersion(version);
}

/** Parses `2.12.8`, with an optional suffix. */
export function parseVersion(text: string): ServerVersion | null {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (match === null) return null;
  const [, major, minor, patch] = match;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

export function isAtLeast(version: ServerVersion, required: ServerVersion): boolean {
  if (version.major !== required.major) return version.major > required.major;
  if (version.minor !== required.minor) return version.minor > required.minor;
  return version.patch >= required.patch;
}

export function formatVersion({ major, minor, patch }: ServerVersion): string {
  return `${major}.${minor}.${patch}`;
}

/** @returns whether the executable is a nats-server that Tollgate can use */
export async function isUsableServer(executable: string): Promise<boolean> {
  const version = await readServerVersion(executable);
  return version !== null && isAtLeast(version, OLDEST_SUPPORTED);
}

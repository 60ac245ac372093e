import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { type Core, onCore } from './cores.ts';

/** A program that serves HTTP on a port of this machine. */
export interface HttpProgram {
  command: string;
  args: string[];
  port: number;
  /** The only core that it runs on; without it, on any. */
  core?: Core;
}

/** Starts a program, and waits until it responds. */
export function startProgram({ command, args, port, core }: HttpProgram): Promise<ChildServer> {
  return startChildServer({
    name: command,
    ...(core === undefined ? { command, args } : onCore(core, command, args)),
    isReady: () => responds(localUrl(port)),
  });
}

/** A script of this folder whose first argument is its port. */
export function scriptProgram(script: string, port: number, args: string[] = []): HttpProgram {
  return { command: process.execPath, args: [scriptPath(script), String(port), ...args], port };
}

export function scriptPath(script: string): string {
  return fileURLToPath(new URL(script, import.meta.url));
}

export function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function responds(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

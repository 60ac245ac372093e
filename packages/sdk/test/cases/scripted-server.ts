import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CASES } from './case-file.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: object | null;
}

export interface Session {
  baseUrl: string;
  requests(): Promise<ReceivedRequest[]>;
}

/** The server of `sdks/cases`, as a runner of any language starts it. */
export interface ScriptedServer {
  address: string;
  start(replies: object[]): Promise<Session>;
  stop(): Promise<void>;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const child = spawn(process.execPath, [`${CASES}/scripted-server.mjs`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    address,
    async start(replies) {
      const response = await fetch(`${address}/sessions`, { method: 'POST', body: JSON.stringify(replies) });
      const { id, base_url: baseUrl } = (await response.json()) as { id: string; base_url: string };
      const requests = async () =>
        (await (await fetch(`${address}/sessions/${id}`)).json()) as ReceivedRequest[];
      return { baseUrl, requests };
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.stdin?.end();
  await exit;
}

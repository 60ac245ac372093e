import { connect } from 'node:net';

const CONNECT_TIMEOUT_MS = 2_000;

/** Returns true if a port of the loopback interface accepts connections. */
export function isPortOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_TIMEOUT_MS });
    const finish = (responses: boolean) => {
      socket.destroy();
      resolve(responses);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });
}

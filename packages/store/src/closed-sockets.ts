import type { Socket } from 'node:net';
// @ts-expect-error The driver declares no types for its own modules.
import { Connection } from 'mongodb/lib/cmap/connection.js';

/** The part of the driver's class that the correction needs. */
interface DriverConnection {
  socket: Socket;
  /** Why the connection is closed. */
  error: Error;
  /** Called when the socket has closed. */
  onClose(): void;
}

/**
 * Corrects a defect of the MongoDB driver (7.8.0): after a write that the socket does not take, it waits for `drain` or `error`. A socket
 * that is already destroyed, because MongoDB has ended it a moment ago, emits neither, only `close`. So the command would wait forever,
 * without a timeout; and if the monitor of the server waited like this, the process could not use MongoDB again until it is restarted.
 *
 * With the correction, a socket that closes also emits the error, and the command fails as every other one of its connection.
 */
export function failCommandsOnClosedSockets(): void {
  const connection: DriverConnection = Connection.prototype;
  const { onClose } = connection;
  connection.onClose = function () {
    onClose.call(this);
    this.socket.emit('error', this.error);
  };
}

import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The part of the driver's class that the correction needs. */
interface DriverConnection {
  socket: Socket;
  /** Why the connection is closed. */
  error: Error;
  /** Called when the socket has closed. */
  onClose(): void;
}

// The driver that mongoose uses.
const requireOfMongoose = createRequire(import.meta.resolve('mongoose'));

/**
 * Corrects a defect of the MongoDB driver (7.8.0): after a write that the socket does not take, it waits for `drain` or `error`. A socket
 * that is already destroyed, because MongoDB has ended it a moment ago, emits neither, only `close`. So the command would wait forever,
 * without a timeout; and if the monitor of the server waited like this, the process could not use MongoDB again until it is restarted.
 *
 * With the correction, a socket that closes also emits the error, and the command fails as every other one of its connection.
 */
export function failCommandsOnClosedSockets(): void {
  const { Connection } = requireOfMongoose('mongodb/lib/cmap/connection') as {
    Connection: { prototype: DriverConnection };
  };
  const { onClose } = Connection.prototype;
  Connection.prototype.onClose = function (this: DriverConnection) {
    onClose.call(this);
    this.socket.emit('error', this.error);
  };
}

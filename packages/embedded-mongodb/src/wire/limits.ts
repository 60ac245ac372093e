/** The limits that mongod reports in `hello`. */
export const MAX_BSON_OBJECT_BYTES = 16 * 1024 * 1024;
export const MAX_MESSAGE_BYTES = 48_000_000;
export const MAX_WRITE_BATCH_SIZE = 100_000;
export const MAX_WIRE_VERSION = 21;
export const HEADER_BYTES = 16;
/** A command may exceed the document limit by its own fields around a document of full size, as in mongod. */
export const MAX_COMMAND_BYTES = MAX_BSON_OBJECT_BYTES + 16 * 1024;

/** Further connections are closed at once, as mongod does. */
export const MAX_CONNECTIONS = 1000;
/** Before authentication only short commands are needed: the handshake and SASL. */
export const MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION = 64 * 1024;
/**
 * How long a client that must authenticate may send no request before it does. Monitoring connections of drivers never
 * authenticate, but send `hello` every `heartbeatFrequencyMS` (10 seconds by default).
 */
export const UNAUTHENTICATED_IDLE_MS = 2 * 60_000;

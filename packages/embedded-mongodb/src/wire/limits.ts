/** The limits that mongod reports in `hello`. */
export const MAX_BSON_OBJECT_BYTES = 16 * 1024 * 1024;
export const MAX_MESSAGE_BYTES = 48_000_000;
/** Less than in mongod. Drivers send more writes as several commands, between which other clients are served. */
export const MAX_WRITE_BATCH_SIZE = 1000;
export const MAX_WIRE_VERSION = 21;
export const HEADER_BYTES = 16;
/** As in mongod, a command may exceed the document limit by the fields around a document of maximum size. */
export const MAX_COMMAND_BYTES = MAX_BSON_OBJECT_BYTES + 16 * 1024;

/** Like mongod, the server closes further connections immediately. */
export const MAX_CONNECTIONS = 1000;
/** Before authentication, clients need only short commands: the handshake and SASL. */
export const MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION = 64 * 1024;
/**
 * How long an unauthenticated connection may be idle if clients must authenticate. Monitoring connections of drivers
 * never authenticate, but send `hello` every `heartbeatFrequencyMS` (10 seconds by default).
 */
export const UNAUTHENTICATED_IDLE_MS = 2 * 60_000;

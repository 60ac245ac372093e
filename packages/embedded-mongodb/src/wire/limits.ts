/** As mongod announces them in `hello`. */
export const MAX_BSON_OBJECT_BYTES = 16 * 1024 * 1024;
export const MAX_MESSAGE_BYTES = 48_000_000;
export const MAX_WRITE_BATCH_SIZE = 100_000;
export const MAX_WIRE_VERSION = 21;
export const HEADER_BYTES = 16;

/** The version of mongod that this server emulates. */
export const SERVER_VERSION = '7.0.14';
export const SERVER_VERSION_PARTS = [7, 0, 14, 0] as const;

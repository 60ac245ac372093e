/** MongoDB's error codes by name: https://github.com/mongodb/mongo/blob/v7.0/src/mongo/base/error_codes.yml */
const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  NoSuchKey: 4,
  GraphContainsCycle: 5,
  HostUnreachable: 6,
  UnknownError: 8,
  FailedToParse: 9,
  CannotMutateObject: 10,
  UserNotFound: 11,
  UnsupportedFormat: 12,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  EmptyArrayOperation: 21,
  InvalidBSON: 22,
  AlreadyInitialized: 23,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  NonExistentPath: 29,
  InvalidPath: 30,
  RoleNotFound: 31,
  CannotBackfillArray: 39,
  ConflictingUpdateOperators: 40,
  FileAlreadyOpen: 41,
  CursorNotFound: 43,
  UserDataInconsistent: 45,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  InvalidDBRef: 55,
  EmptyFieldName: 56,
  DottedFieldName: 57,
  CommandNotFound: 59,
  ShardKeyNotFound: 61,
  OplogOperationUnsupported: 62,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  IndexAlreadyExists: 68,
  AuthSchemaIncompatible: 69,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  WriteConcernFailed: 64,
  MultipleErrorsOccurred: 65,
  NotWritablePrimary: 10107,
  WriteConcernLegacyOK: 75,
  NoReplicationEnabled: 76,
  UnknownReplWriteConcern: 79,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CannotSplit: 87,
  NetworkTimeout: 89,
  CallbackCanceled: 90,
  ShutdownInProgress: 91,
  SecondaryAheadOfPrimary: 92,
  InvalidReplicaSetConfig: 93,
  NotYetInitialized: 94,
  OperationFailed: 96,
  NoProgressMade: 97,
  DuplicateKey: 11000,
  WriteConflict: 112,
  CommandNotSupported: 115,
  NamespaceNotSharded: 118,
  DocumentValidationFailure: 121,
  CappedPositionLost: 136,
  IncompatibleCollationVersion: 161,
  CommandNotSupportedOnView: 166,
  OptionNotSupportedOnView: 167,
  InvalidPipelineOperator: 168,
  CommandOnShardedViewNotSupportedOnMongod: 169,
  InvalidIndexSpecificationOption: 197,
  QueryFeatureNotAllowed: 224,
  NotImplemented: 238,
  ConversionFailure: 241,
  NoSuchTransaction: 251,
  OperationNotSupportedInTransaction: 263,
  TransactionTooLarge: 257,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  LockTimeout: 24,
  ExceededMemoryLimit: 146,
  CollectionUUIDMismatch: 361,
  APIVersionError: 322,
  APIStrictError: 323,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  NoQueryExecutionPlans: 291,
  DataCorruptionDetected: 301,
  Interrupted: 11601,
  InterruptedAtShutdown: 11600,
  OutOfDiskSpace: 14031,
  BSONObjectTooLarge: 10334,
} as const;

export type ErrorCodeName = keyof typeof ERROR_CODES;

/** An error that goes to the client as MongoDB would send it: `code` decides, `message` explains. */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;

  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.name = 'MongoError';
    this.code = code;
    this.codeName = codeName;
  }
}

/**
 * Makes the error MongoDB answers with, by its name or, for the errors that MongoDB numbers only by
 * where they are raised, by that number (their code name is then `Location<number>`).
 */
export function mongoError(error: ErrorCodeName | number, message: string): MongoError {
  if (typeof error === 'number') return new MongoError(error, `Location${error}`, message);
  return new MongoError(ERROR_CODES[error], error, message);
}

/** A refusal of something MongoDB can do and this server cannot: never a guess at the answer. */
export function notImplemented(what: string): MongoError {
  return mongoError('NotImplemented', `${what} is not supported by this server`);
}

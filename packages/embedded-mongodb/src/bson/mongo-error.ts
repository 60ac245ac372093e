/** MongoDB's error codes by name: https://github.com/mongodb/mongo/blob/v7.0/src/mongo/base/error_codes.yml */
const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  CannotBackfillArray: 34,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  NoReplicationEnabled: 76,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  OperationFailed: 96,
  DuplicateKey: 11000,
  NotExactValueField: 111,
  InvalidPipelineOperator: 168,
  InvalidIndexSpecificationOption: 197,
  NotImplemented: 238,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  APIVersionError: 322,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  NoQueryExecutionPlans: 291,
  DataCorruptionDetected: 301,
  OutOfDiskSpace: 14031,
  BSONObjectTooLarge: 10334,
  Interrupted: 11601,
} as const;

export type ErrorCodeName = keyof typeof ERROR_CODES;

/** An error in the form in which MongoDB sends it to the client. Clients read `code`; `message` explains it. */
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
 * Creates the error that MongoDB returns, by its name. Errors that MongoDB identifies only by the place in its source
 * are given by their number; their code name is `Location<number>`.
 */
export function mongoError(error: ErrorCodeName | number, message: string): MongoError {
  if (typeof error === 'number') return new MongoError(error, `Location${error}`, message);
  return new MongoError(ERROR_CODES[error], error, message);
}

/** Creates the error for a MongoDB feature that is out of scope. The server never guesses a result. */
export function outOfScope(what: string): MongoError {
  return mongoError(
    'NotImplemented',
    `${what} is outside the scope of embedded-mongodb. To use all of MongoDB, set MONGODB_URL to a MongoDB server.`,
  );
}

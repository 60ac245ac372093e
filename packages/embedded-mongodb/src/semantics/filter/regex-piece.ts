import { mongoError, outOfScope } from '../../bson/mongo-error.ts';

/** The properties of a piece of a pattern that matter where PCRE2 and RE2 differ. */
export interface Piece {
  /** About how many instructions it compiles to. */
  size: number;
  /** The product of its nested repetitions. */
  repeats: number;
  isRepeatable: boolean;
  /** Whether every match consumes at least one character. */
  consumes: boolean;
  /** The piece ends with `$`: nothing may follow. */
  endsText: boolean;
  /** The piece has a `^` of option m, which must not match at the end of the text: a character must follow. */
  awaitsCharacter: boolean;
}

/** RE2's limit on the product of nested repetitions. */
const MAX_REPEATS = 1000;

export const ASSERTION: Piece = {
  size: 1,
  repeats: 1,
  isRepeatable: false,
  consumes: false,
  endsText: false,
  awaitsCharacter: false,
};
/** The empty pattern. */
export const EMPTY: Piece = { ...ASSERTION, size: 0 };

/** A character or a class. */
export function single(furtherSize = 0): Piece {
  return { ...ASSERTION, size: 1 + furtherSize, isRepeatable: true, consumes: true };
}

export function concatenated(first: Piece, second: Piece): Piece {
  if (second === EMPTY) return first;
  if (first.endsText) throw outOfScope("'$' before more of the pattern in a regular expression");
  return {
    size: first.size + second.size,
    repeats: Math.max(first.repeats, second.repeats),
    isRepeatable: false,
    consumes: first.consumes || second.consumes,
    endsText: second.endsText,
    awaitsCharacter: second.awaitsCharacter || (first.awaitsCharacter && !second.consumes),
  };
}

export function alternated(one: Piece, other: Piece): Piece {
  return {
    size: one.size + other.size + 1,
    repeats: Math.max(one.repeats, other.repeats),
    isRepeatable: false,
    consumes: one.consumes && other.consumes,
    endsText: one.endsText || other.endsText,
    awaitsCharacter: one.awaitsCharacter || other.awaitsCharacter,
  };
}

export function repeated(piece: Piece, least: number, most: number): Piece {
  if (piece.endsText) throw outOfScope("'$' in a repeated group in a regular expression");
  const repeats = piece.repeats * Math.max(most, 1);
  if (repeats > MAX_REPEATS)
    throw mongoError(51091, `Regular expression is too large: it repeats more than ${MAX_REPEATS} times`);
  return {
    ...piece,
    size: (piece.size + 1) * Math.max(most, 1),
    repeats,
    isRepeatable: false,
    consumes: piece.consumes && least > 0,
  };
}

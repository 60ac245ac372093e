/** What part of a log is looked at: that which its last head holds. */
export interface LogPlaces {
  teamId: string;
  size: number;
  lastNumber: number;
}

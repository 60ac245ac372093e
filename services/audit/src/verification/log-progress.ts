export interface LogProgress {
  recordsChecked: number;
  records: number;
  headsChecked: number;
  heads: number;
}

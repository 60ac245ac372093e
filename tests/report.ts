/** Prints a figure that a test measured, so that a run can be compared with another. */
export function report(figure: string): void {
  process.stdout.write(`measured: ${figure}\n`);
}

/** Prints a figure that a test measured, to compare runs. */
export function report(figure: string): void {
  process.stdout.write(`measured: ${figure}\n`);
}

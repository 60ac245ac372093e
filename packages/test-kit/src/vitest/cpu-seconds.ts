import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, the unit of times in /proc: 100 on every platform of Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/**
 * CPU time of this process, of the children that it has waited for, and of its live descendants. Where there is no /proc, of this
 * process alone.
 */
export function cpuSeconds(): number {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const processes = pids.flatMap((pid) => readProcess(pid) ?? []);
  const ticksOf = (pid: number): number => {
    const own = processes.find((each) => each.pid === pid)?.ticks ?? 0;
    const children = processes.filter((each) => each.parent === pid);
    return children.reduce((sum, child) => sum + ticksOf(child.pid), own);
  };
  return ticksOf(process.pid) / TICKS_PER_SECOND;
}

/** Reads /proc/<pid>/stat (proc_pid_stat(5)). Null if the process has ended. */
function readProcess(pid: string): { pid: number; parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, can contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
    return { pid: Number(pid), parent, ticks: user + system + childrenUser + childrenSystem };
  } catch {
    return null;
  }
}

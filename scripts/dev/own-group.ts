/** Process ids that stand for more than one process: that of the group of the sender, and of everything that it may reach. */
const MANY = [0, -1]

/** Belongs to the process: this file runs before each test file. */
const processState = globalThis as typeof globalThis & { vidOwnGroup?: true }

/** Refuses a signal to the whole group of the tests, which `process.kill(pid ?? 0)` sends where a process was not found. */
if (!processState.vidOwnGroup) {
  processState.vidOwnGroup = true
  const kill = process.kill.bind(process)
  process.kill = (pid, signal) => {
    if (!Number.isInteger(pid) || MANY.includes(pid)) throw new RangeError(`no process to send a signal to: ${pid}`)
    return kill(pid, signal)
  }
}

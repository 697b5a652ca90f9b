// Runs a command on a number of this machine's cores.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const read = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The numbers in a list such as `0-3,8`. */
export const parseList = (list) =>
  list
    .trim()
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    })

/** Processors on which this process may run, by their numbers. */
export const allowedCores = () => parseList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(read('/proc/self/status'))?.[1] ?? '')

const PERIOD_MICROS = 100_000

/** The folder of this process's group in version 2 of control groups; undefined without one. */
const ownGroup = () => {
  const [, name] = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup')) ?? []
  return name === undefined ? undefined : join('/sys/fs/cgroup', name)
}

/** Makes a group of these processors in the group of this process; undefined where that may not be done. */
const makeGroup = (cores) => {
  const parent = ownGroup()
  // Beside version 1, the folder may be a plain one.
  if (parent === undefined || read(join(parent, 'cgroup.controllers')).trim() === '') return undefined
  const folder = join(parent, `vid-cores-${process.pid}-${cores.length}`)
  try {
    mkdirSync(folder)
  } catch {
    return undefined
  }
  const remove = () => rmdirSync(folder)
  const limits = {
    cpuset: ['cpuset.cpus', cores.join(',')],
    'cpu.max': ['cpu.max', `${cores.length * PERIOD_MICROS} ${PERIOD_MICROS}`],
  }
  for (const [way, [file, text]] of Object.entries(limits)) {
    try {
      writeFileSync(join(folder, file), text)
      return { way, tasks: join(folder, 'cgroup.procs'), remove }
    } catch {
      // The controller is not there, or is not left to this group: the next way.
    }
  }
  remove()
  return undefined
}

/**
 * A command that runs on the first `count` of the allowed processors: by a control group where one may be made, else by
 * its affinity. `remove` ends the limit, once the command and all that it started have ended.
 */
export const limitedCommand = (count, command, args) => {
  const cores = allowedCores().slice(0, count)
  if (cores.length < count) throw new Error(`this process may use ${cores.length} processors, not ${count}`)
  const group = makeGroup(cores)
  if (!group)
    return { way: 'affinity', command: 'taskset', args: ['-c', cores.join(','), command, ...args], remove: () => {} }
  const script = 'echo $$ > "$0" && exec "$@"'
  return { way: group.way, command: 'sh', args: ['-c', script, group.tasks, command, ...args], remove: group.remove }
}

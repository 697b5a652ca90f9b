// What a process and everything below it costs, read from /proc.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // The process has ended since it was listed.
  }
}

let cachedTickMs
const tickMs = () => {
  cachedTickMs ??= 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return cachedTickMs
}

const readProcess = (pid) => {
  const text = read(`/proc/${pid}/stat`)
  if (text === '') return undefined
  // The name, in parentheses, may hold spaces; all other fields are plain.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
  return {
    pid,
    parent: Number(fields[1]),
    started: fields[19],
    childrenMs: (childUser + childSystem) * tickMs(),
    cpuMs: (user + system + childUser + childSystem) * tickMs(),
  }
}

/** The threads of a process. */
const threadsOf = (pid) => {
  let ids = []
  try {
    ids = readdirSync(`/proc/${pid}/task`)
  } catch {
    // The process has ended since it was listed.
  }
  return ids.flatMap((id) => {
    const text = read(`/proc/${pid}/task/${id}/stat`)
    if (text === '') return []
    const [user, system] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    return [{ id: `${pid}/${id}`, name, cpuMs: (user + system) * tickMs() }]
  })
}

/** What a process below a render is, by its command line. */
const partOf = (line) => {
  const [, type] = /--type=(\S+)/.exec(line) ?? []
  if (type === 'renderer') return 'page'
  if (type !== undefined) return type === 'gpu-process' ? 'gpu process' : type
  if (/headless_shell|chrom/.test(line)) return 'browser'
  if (/\bffmpeg\b/.test(line.split(' ')[0])) return / -c:v | -filter_complex /.test(line) ? 'encoder' : 'ffmpeg'
  return 'other'
}

/** CPU milliseconds of all children of this process that have ended, with their own ended children. */
export const reapedCpuMs = () => readProcess(process.pid).childrenMs

/** Follows the tree below `root`, also a process of it whose parent ends first. */
export const followTree = (root) => {
  const starts = new Map()

  const members = () => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(Number(name)) ?? [])
    const inTree = new Map(
      all.filter(({ pid, started }) => pid === root || starts.get(pid) === started).map((entry) => [entry.pid, entry]),
    )
    for (let grown = true; grown; ) {
      const before = inTree.size
      for (const entry of all) if (inTree.has(entry.parent)) inTree.set(entry.pid, entry)
      grown = inTree.size > before
    }
    for (const { pid, started } of inTree.values()) starts.set(pid, started)
    return [...inTree.values()]
  }

  const partOfMember = ({ pid }) =>
    pid === root ? 'command' : partOf(read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))

  return {
    /** Browsers that run: each has one GPU process, also without a GPU. */
    browsers: () => members().filter((member) => partOfMember(member) === 'gpu process').length,
    /** Ends every living member at once. */
    kill: () => {
      for (const { pid } of members()) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch (error) {
          // It has ended since it was listed.
          if (error.code !== 'ESRCH') throw error
        }
      }
    },
    /** CPU milliseconds so far of every living thread, by what its process is and by its name: `page CrRendererMain`. */
    threads: () =>
      members().flatMap((member) => {
        const part = partOfMember(member)
        return threadsOf(member.pid).map((thread) => ({ ...thread, name: `${part} ${thread.name}` }))
      }),
    /** CPU milliseconds so far of every living member, with the children that it has reaped. */
    cpuMs: () => members().reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    /**
     * Bytes of the tree's memory by what its processes are: `command`, `encoder`, `page` and so on, and `files` for all that
     * they map of programs and libraries. What several processes share is counted once, and what processes outside of
     * the tree share of those files only in part.
     */
    memoryByPart: () => {
      const parts = {}
      const add = (part, bytes) => {
        parts[part] = (parts[part] ?? 0) + bytes
      }
      for (const member of members()) {
        const rollup = read(`/proc/${member.pid}/smaps_rollup`)
        const bytesOf = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) * 1024
        add('files', bytesOf('Pss_File'))
        add(partOfMember(member), bytesOf('Pss') - bytesOf('Pss_File'))
      }
      return parts
    },
  }
}

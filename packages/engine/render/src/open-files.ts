import { readFileSync } from 'node:fs'

/** With fewer open files than this, a browser, its pages and ffmpeg run short. */
export const ENOUGH_FILES = 512

/** With fewer open files than this no browser captures a page, and its last words often name something else. */
const HOPELESS = 128

/** The error of a browser that runs out of open files. */
const BROWSER_ENDED: ReadonlySet<unknown> = new Set(['VID_BROWSER_LAUNCH', 'VID_BROWSER_CRASHED', 'VID_PAGE_CRASHED'])

/** The system's limit on open files of this process; undefined where it is unknown. */
export const openFileLimit = (): number | undefined => {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

/** Whether so few files may be open that Node may not even load a module, or wait for one for ever. */
export const isHopeless = (limit: number | undefined): boolean => limit !== undefined && limit < HOPELESS

/** The message if no more files can be opened; it must not need another module. */
export const fileShortageText = (f: { limit: number | undefined; reason: string }) =>
  ({
    message: `The system let vid open no more files${f.limit === undefined ? '' : ` (at most ${f.limit} at once)`}: ${f.reason}.`,
    hint: 'Allow more, for example with "ulimit -n 1024" in this shell, and run again.',
    fault: 'machine',
  }) as const

const causesOf = function* (thrown: unknown): Generator<{ readonly code?: unknown; readonly message?: unknown }> {
  for (let error = thrown; error instanceof Error; error = error.cause) yield error
}

/** Whether an error comes from too few open files, which Node also reports as a package that it cannot find. */
export const isFileShortage = (thrown: unknown, limit: number | undefined): boolean => {
  for (const { code, message } of causesOf(thrown)) {
    if (code === 'EMFILE' || code === 'ENFILE') return true
    if (limit === undefined || limit >= ENOUGH_FILES) continue
    if (isHopeless(limit) && BROWSER_ENDED.has(code)) return true
    if (code === 'ERR_MODULE_NOT_FOUND' || /\bE[MN]FILE\b|too many open files/i.test(String(message))) return true
  }
  return false
}

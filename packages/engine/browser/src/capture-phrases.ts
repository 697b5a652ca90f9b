import { NEEDED_BYTES, type Shortage } from './shortage.ts'

/** The location of a script line, for a message; empty if it is unknown. */
export const where = (facts: { source?: string | undefined; line?: number | undefined }) =>
  facts.source === undefined ? '' : ` (${facts.source}${facts.line === undefined ? '' : `:${facts.line}`})`

/** Ways to enable a browser's sandbox. */
export const ALLOW_SANDBOX = 'Render as an ordinary user, and let this machine or container create user namespaces.'

const inMb = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`

/** What the machine lacked when something ended, as the end of a sentence; empty if nothing is known. */
export const lackText = ({ folder, freeBytes = 0, isKilled }: Shortage): string => {
  if (folder !== undefined)
    return `; only ${inMb(freeBytes)} are free in ${folder}, and a browser needs ${inMb(NEEDED_BYTES)} there`
  return isKilled ? '; the system ended a process for lack of memory' : ''
}

/** What to do about something that ended for lack of something. */
export const remedyText = ({ folder, isKilled, limitBytes }: Shortage): string => {
  if (folder !== undefined)
    return 'Free some space there, or set TMPDIR to a folder with more; for a container, use --shm-size=1g.'
  const usual = `${isKilled ? 'Use' : 'The usual cause is memory: use'} smaller images or canvases, or fewer workers`
  if (limitBytes === undefined) return `${usual}.`
  return `${usual}, or raise the limit, which is ${inMb(limitBytes)} of memory (with --docker, by the option memory of the target docker).`
}

/** What keeps a page from answering. */
export interface Blocked {
  /** The file of the script that runs, and its line. */
  readonly source?: string
  readonly line?: number
  /** True if it is known that no script of a file runs. */
  readonly isUnscripted?: boolean
}

/** What keeps a page from answering, as a part of a sentence. */
export const blockedText = (blocked: Blocked): string => {
  if (blocked.source !== undefined) return `a script does not return${where(blocked)}`
  const others = 'what is in it takes that long to compute and draw'
  return blocked.isUnscripted
    ? `no script of its files runs; code without a file does, or ${others}`
    : `a script does not return, or ${others}`
}

import type { PlayerError } from '@vid/player'
import type { PageError } from '@vid/runtime'
import type { Problem } from '../../api.ts'
import { sortProblems } from '../../problem-order.ts'

/** The same problem may be found in the text and by the capture, under two codes. */
const keyOf = ({ message, place }: Problem) => JSON.stringify([message, place?.file, place?.line])

/** The code of a script or style sheet that the shown page could not load. */
const NOT_LOADED = 'did not load'

/** What each check says of a file that is missing, with the name of that file. */
const MISSING: Readonly<Record<string, RegExp>> = {
  'lint/missing-asset': /refers to the file "([^"]+)"/,
  VID_ASSET_FAILED: /^([^:?#]+)[^:]*: /,
  VID_REMOTE_FAILED: /^(\S+) could not be fetched/,
  [NOT_LOADED]: /^could not load (\S+)$/,
}

const missingIn = ({ code, message, place }: Problem): string | undefined => {
  const [, name] = MISSING[code]?.exec(message) ?? []
  return code === NOT_LOADED ? (place?.file ?? name) : name
}

/** Leaves out that a file did not load where an earlier problem of another code names it. */
const namedOnce = (problems: readonly Problem[]): Problem[] => {
  const codes = new Map<string, string>()
  return problems.filter((problem) => {
    const name = missingIn(problem)
    if (name === undefined) return true
    if (!codes.has(name)) codes.set(name, problem.code)
    return codes.get(name) === problem.code
  })
}

/** The problems without repetitions, errors first, then warnings. */
export const distinctProblems = (problems: readonly Problem[]): readonly Problem[] => {
  const keys = problems.map(keyOf)
  return sortProblems(namedOnce(problems.filter((problem, index) => keys.indexOf(keyOf(problem)) === index)))
}

/** The file of the project that an address on the composition's origin is; null for any other. */
const fileOf = (source: string | undefined, origin: string): string | null => {
  if (source === undefined || !URL.canParse(source)) return null
  const url = new URL(source)
  if (url.origin !== origin || url.pathname.startsWith('/.vid/')) return null
  return decodeURIComponent(url.pathname.slice(1))
}

/** Why the composition is not shown as its files are. */
export const playerProblem = ({ code, message, hint }: PlayerError): Problem => ({
  from: 'compile',
  severity: 'error',
  code,
  message,
  hint,
  place: null,
  selector: null,
})

/** An error that a script of the page has thrown, or what the page shows otherwise than a window. */
export const pageProblem = ({ message, source, line, isLoad, isNote }: PageError, origin: string): Problem => {
  const file = fileOf(source, origin)
  if (isNote)
    return {
      from: 'capture',
      severity: 'warning',
      code: 'differs from a window',
      message,
      hint: '',
      place: null,
      selector: null,
    }
  return {
    from: 'capture',
    severity: 'error',
    message,
    selector: null,
    code: isLoad ? NOT_LOADED : 'script error',
    hint: isLoad ? 'check the address, and whether the file is in the project' : '',
    place: file ? { file, line: line ?? 1 } : null,
  }
}

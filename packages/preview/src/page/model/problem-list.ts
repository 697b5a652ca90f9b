import type { PlayerError } from '@vid/player'
import type { PageError } from '@vid/runtime'
import type { Problem } from '../../api.ts'

const ORDER = ['error', 'warning', 'note'] as const

/** The same problem may be found in the text and by the capture. */
const keyOf = ({ severity, code, message, place }: Problem) =>
  JSON.stringify([severity, code, message, place?.file, place?.line])

/** The problems without repetitions, errors first, then warnings. */
export const sortProblems = (problems: readonly Problem[]): readonly Problem[] => {
  const different = [...new Map(problems.map((each) => [keyOf(each), each])).values()]
  return ORDER.flatMap((severity) => different.filter((each) => each.severity === severity))
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
  ...{ from: 'compile', severity: 'error', code, message, hint, place: null, selector: null },
})

/** An error that a script of the page has thrown. */
export const pageProblem = ({ message, source, line, isLoad }: PageError, origin: string): Problem => {
  const file = fileOf(source, origin)
  return {
    ...{ from: 'capture', severity: 'error', message, selector: null },
    code: isLoad ? 'did not load' : 'script error',
    hint: isLoad ? 'check the address, and whether the file is in the project' : '',
    place: file ? { file, line: line ?? 1 } : null,
  }
}

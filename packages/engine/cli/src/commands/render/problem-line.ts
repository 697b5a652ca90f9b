import { printable, type Warning } from '@vid/protocol'
import { type Finding, findingLine } from '@vid/render'

/** How many problems make a result wrong, and the first, from which others often follow; undefined without one. */
export const problemLine = (warnings: readonly Warning[], findings: readonly Finding[]): string | undefined => {
  const isError = ({ severity }: { readonly severity?: string }) => severity === 'error'
  const problems = [
    ...warnings.filter(isError).map(({ code, message }) => `${code}: ${printable(message)}`),
    ...findings.filter(isError).map(findingLine),
  ]
  const [worst] = problems
  if (worst === undefined) return undefined
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return `the result may be wrong: ${count}, the worst: ${worst} (--strict refuses it)`
}

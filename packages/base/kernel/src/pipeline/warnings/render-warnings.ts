import { failRender, type Warning, withoutCredentials } from '@vid/protocol'
import type { OpenRender } from '../../contracts/kernel-types.ts'
import { createWarningGroups } from './warning-groups.ts'

/** How warnings are told, and whether an error among them ends the render. */
export interface WarningsOptions {
  readonly strict?: boolean | undefined
  readonly emit: OpenRender['emit']
  /** Ends a strict render. */
  stop(reason: unknown): void
}

/** The warnings of a render: each is reported once, and what a strict render may not have ends it. */
export const createWarnings = ({ strict, emit, stop }: WarningsOptions) => {
  const warnings: Warning[] = []
  const warned = new Set<string>()
  const problems: Warning[] = []
  const groups = createWarningGroups()
  const refusal: OpenRender['refusal'] = () =>
    problems.length > 0 ? failRender('VID_RENDER_STRICT', { problems: [...problems, ...groups.unnamed()] }) : undefined
  let isGathering = false
  const refuse = (problem: Warning) => {
    problems.push(problem)
    // What is reported at once becomes one error.
    if (!isGathering) queueMicrotask(() => stop(refusal()))
  }
  const tell = (warning: Warning) => {
    warnings.push(warning)
    emit({ type: 'warning', warning })
  }
  const warn: OpenRender['warn'] = (input) => {
    const { message, hint } = input
    const warning = {
      ...input,
      message: withoutCredentials(message),
      ...(hint !== undefined && { hint: withoutCredentials(hint) }),
    }
    const words = `${warning.code}\n${warning.message}`
    if (warned.has(words)) return
    warned.add(words)
    const { first, named } = groups.add(warning)
    const { group: _, transient: __, ...shown } = warning
    if (first) tell(shown)
    if (named && strict && shown.severity === 'error') refuse(shown)
  }
  const reportGroups: OpenRender['reportGroups'] = () => {
    for (const warning of groups.take()) tell(warning)
  }
  return {
    warnings,
    warn,
    refusal,
    reportGroups,
    /** Does some work to its end before its problems end a strict render, so that the error names them all. */
    async gatherProblems<T>(work: Promise<T>): Promise<T> {
      isGathering = true
      const [outcome] = await Promise.allSettled([work])
      isGathering = false
      const refused = refusal()
      if (refused) throw refused
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    },
  }
}

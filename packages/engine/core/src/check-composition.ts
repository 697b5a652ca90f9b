import type { Warning } from '@vid/protocol'
import { type LoadedComposition, loadComposition } from './source/load.ts'
import { issueWarnings } from './variables/issue-warnings.ts'
import { resolveVariables, type VariableValues } from './variables/variables.ts'

/** A composition that is about to be rendered somewhere else. */
export interface CheckedComposition extends LoadedComposition {
  /** About values that do not fit its declarations. */
  readonly warnings: readonly Warning[]
}

/** Reads an entry file and checks values of its variables, as a render does first; under strict checking, one that does not fit is an error. */
export const checkComposition = async (
  projectDir: string,
  entry: string,
  {
    variables,
    strict,
    shape,
    signal,
  }: {
    readonly variables: VariableValues
    readonly strict: boolean
    readonly shape?: string | undefined
    readonly signal: AbortSignal
  },
): Promise<CheckedComposition> => {
  const loaded = await loadComposition(projectDir, entry, { signal, ...(shape !== undefined && { shape }) })
  const { issues } = resolveVariables(loaded.composition.declarations, variables)
  const warnings = issueWarnings(
    issues.map((issue) => ({ issue, place: '' })),
    strict,
  )
  return { ...loaded, warnings }
}

import { resolve } from 'node:path'
import type { Warning } from '@vid/kernel'

/** A composition that is to be rendered somewhere else, and the values of its variables. */
export interface AskedComposition {
  /** Folder, from the current one. */
  readonly projectDir: string
  readonly entry: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether a value that does not fit is an error. */
  readonly strictVariables: boolean
}

/** Reads a composition and checks its variables as a render here would, without a browser. */
export const readComposition = async (
  { projectDir, entry, variables, strictVariables: strict }: AskedComposition,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<{
  /** Absolute. */
  readonly projectDir: string
  readonly width: number
  readonly height: number
  readonly warnings: readonly Warning[]
}> => {
  const { checkComposition } = await import('@vid/core')
  const folder = resolve(cwd, projectDir)
  const { composition, warnings } = await checkComposition(folder, entry, { variables, strict, signal })
  const { width, height } = composition
  return { projectDir: folder, width, height, warnings }
}

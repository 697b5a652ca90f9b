import type { Finding } from '@vid/core/lint'

/** Formats that come with vid and keep alpha. */
const ALPHA: ReadonlySet<string> = new Set(['gif', 'mov', 'webm', 'png-sequence'])

/** A composition that is to be rendered somewhere else, with the config of that place. */
export interface RemoteLint {
  /** Absolute. */
  readonly projectDir: string
  readonly entry: string
  readonly format: string
}

/** The findings about a composition that is rendered somewhere else; no config of this machine is loaded. */
export const lintRemote = async (
  { projectDir, entry, format }: RemoteLint,
  signal: AbortSignal,
): Promise<Finding[]> => {
  const { lintWithBundledFonts } = await import('./lint-project.ts')
  return lintWithBundledFonts(projectDir, entry, { alpha: ALPHA.has(format), signal })
}

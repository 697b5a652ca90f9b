import { resolve } from 'node:path'
import { frameRange } from '@vid/kernel'
import { type FrameRate, frameCount, type RenderRequest, type Warning } from '@vid/protocol'

/** A composition that is to be rendered somewhere else, and the values of its variables. */
export interface AskedComposition {
  /** Folder, from the current one. */
  readonly projectDir: string
  readonly entry: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether a value that does not fit is an error. */
  readonly strictVariables: boolean
  /** Shape that it is laid out for; as it is written if left out. */
  readonly shape?: string | undefined
}

/** Facts about a composition that need no browser. */
export interface RemoteComposition {
  /** Absolute. */
  readonly projectDir: string
  readonly width: number
  readonly height: number
  /** Number of frames of a render; null when only the page knows how long the composition is. */
  framesOf(request: Pick<RenderRequest, 'fps' | 'from' | 'to'>): number | null
  readonly warnings: readonly Warning[]
  /** The warnings about other values of its variables. */
  warningsOf(variables: Readonly<Record<string, unknown>>): readonly Warning[]
}

/** Reads a composition and checks its variables as a render here would, without a browser. */
export const readComposition = async (
  { projectDir, entry, variables, strictVariables: strict, shape }: AskedComposition,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<RemoteComposition> => {
  const { checkComposition, issueWarning, resolveVariables } = await import('@vid/core')
  const folder = resolve(cwd, projectDir)
  const { composition, warnings } = await checkComposition(folder, entry, { variables, strict, shape, signal })
  const { width, height, duration, declarations } = composition
  return {
    projectDir: folder,
    width,
    height,
    warnings,
    framesOf({ fps, from, to }) {
      if (duration === null) return null
      const rate = fps as FrameRate
      const whole = { frames: frameCount(duration, rate), fps: rate, duration }
      return frameRange(whole, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }).length
    },
    warningsOf: (values) => resolveVariables(declarations, values).issues.map((issue) => issueWarning(issue, '')),
  }
}

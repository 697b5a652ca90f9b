import type { Warning } from '@vid/protocol'
import { readComposition } from '@vid/render'
import { type CloudAspectRatio, cloudAspectRatios } from '../../contract/index.ts'

/** A folder to render on the hosted API. */
export interface LocalProject {
  readonly dir: string
  readonly entry: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly strict: boolean
}

/** The API's aspect ratio of a size; undefined if none matches exactly. */
const aspectRatioOf = (width: number, height: number): CloudAspectRatio | undefined =>
  cloudAspectRatios.find((ratio) => {
    const [across = 0, down = 0] = ratio.split(':').map(Number)
    return width * down === height * across
  })

/** Checks a local project before anything is sent: its entry file, its variables, and its aspect ratio. */
export const readLocalProject = async (
  { dir, entry, variables, strict }: LocalProject,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<{
  readonly projectDir: string
  readonly warnings: readonly Warning[]
  readonly size: string
  readonly aspectRatio: CloudAspectRatio | undefined
}> => {
  const source = { projectDir: dir, entry, variables, strictVariables: strict }
  const { projectDir, width, height, warnings } = await readComposition(source, { cwd, signal })
  return { projectDir, warnings, size: `${width}x${height}`, aspectRatio: aspectRatioOf(width, height) }
}

import { isAbsolute, join, relative, resolve } from 'node:path'
import type { RenderContext } from '@vid/render'

/** A composition that a command looks at, in the state that was asked for. */
export interface ChosenState extends Pick<RenderContext, 'configFrom'> {
  /** Absolute folder of the composition: that of its files, or a copy with what is staged. */
  readonly projectDir: string
  readonly isStaged: boolean
  /** Stops work on it. */
  readonly signal: AbortSignal
}

/** Which composition is looked at, and from where. */
export interface CompositionLine {
  readonly cwd: string
  /** Folders outside of which no open preview is looked for; left out, it may be anywhere. */
  readonly roots?: readonly string[]
  readonly signal: AbortSignal
  readonly options: {
    readonly composition?: string | undefined
    readonly state?: 'files' | 'staged' | undefined
  }
}

/** Works on the composition in a folder as its open preview has it staged; undefined where nothing of it is staged. */
const inStaged = async <T>(
  dir: string,
  { cwd, roots, signal, options }: CompositionLine,
  work: (state: ChosenState) => Promise<T>,
): Promise<{ readonly result: T } | undefined> => {
  const { findPreview, openPreviewLink } = await import('@vid/edit')
  const preview = await findPreview({ dir, entry: options.composition ?? 'index.html' }, roots)
  if (!preview) return undefined
  const { place, note } = preview
  const inside = relative(place.dir, dir)
  // A copy of a project does not hold the folder around it.
  if (inside.startsWith('..') || isAbsolute(inside)) return undefined
  const folder = await openPreviewLink(note, signal).leaseStaged(place.entry)
  if (!folder) return undefined
  try {
    const result = await work({
      projectDir: join(folder.dir, inside),
      isStaged: true,
      // A config may import what lies beside the files.
      configFrom: [dir, cwd],
      signal: AbortSignal.any([signal, folder.lost]),
    })
    return { result }
  } finally {
    folder.release()
  }
}

/** Works on the composition in a folder, in the state that a command line asks for. */
export const inState = async <T>(
  folder: string,
  line: CompositionLine,
  work: (state: ChosenState) => Promise<T>,
): Promise<T> => {
  const projectDir = resolve(line.cwd, folder)
  const staged = line.options.state === 'staged' ? await inStaged(projectDir, line, work) : undefined
  return staged ? staged.result : work({ projectDir, isStaged: false, configFrom: 'project', signal: line.signal })
}

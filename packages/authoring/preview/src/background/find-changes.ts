import { diffSides } from '@vid/analysis'
import { defined } from '@vid/protocol'
import { codedError, type Renderer } from '@vid/render'
import type { ChangesBody, ChangesReply } from '../findings-api.ts'
import type { StateFolder } from '../states/state-folders.ts'

/** What two states of a composition are compared with. */
export interface ChangesOptions {
  readonly renderer: Renderer
  /** Absolute folder of the project. */
  readonly dir: string
  /** Absolute folder for temporary files. */
  readonly scratch: string
  readonly env: NodeJS.ProcessEnv
  readonly fps: ChangesReply['fps']
  readonly signal: AbortSignal
}

const NOTHING = { frames: 0, differing: 0, reason: '', intervals: [], sound: [] }

/** The frames that differ between two states of a composition; why they cannot be compared is a result too. */
export const findChanges = async (
  before: StateFolder,
  after: StateFolder,
  { entry, variables }: ChangesBody,
  { renderer, dir, scratch, env, fps, signal }: ChangesOptions,
): Promise<Omit<ChangesReply, 'revision'>> => {
  const states = { before: before.state, after: after.state }
  const sideOf = ({ projectDir, state }: StateFolder) =>
    ({ kind: 'composition', label: state, projectDir, copyOf: dir }) as const
  try {
    const composition = { entry, fps, ...defined({ variables }) }
    const diff = await diffSides(
      renderer,
      { sides: [sideOf(before), sideOf(after)], composition, width: 0, exitCode: false, scratch, env },
      { signal },
    )
    const { frames, differing, reason, intervals, sound } = diff
    return { ...states, fps, frames, differing, reason, intervals, sound, error: null }
  } catch (thrown) {
    signal.throwIfAborted()
    const error = codedError(thrown, signal)
    if (error.fault === 'machine') throw error
    return { ...states, fps, ...NOTHING, error: error.toJSON() }
  }
}

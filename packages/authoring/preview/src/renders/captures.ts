import { createSequence } from '@vid/protocol'
import { type ContextOptions, createRenderer, type RenderContext } from '@vid/render'
import type { CheckBody, CheckReply, FrameBody, PreviewEvent } from '../api.ts'
import { createBackground } from '../background/background.ts'
import { openReviews, type Reviews } from '../background/reviews.ts'
import type { Edits } from '../edits/edits.ts'
import type { ProjectSettings } from '../project/settings.ts'
import { findCopyPlace } from '../states/copy-place.ts'
import { createStateFolders, type StateFolder } from '../states/state-folders.ts'
import { checkByCapture } from './capture-check.ts'
import { createExactFrames } from './exact-frame.ts'
import { createJobs, type Jobs } from './jobs.ts'

/** Everything of a preview that is captured as a render captures it. */
export interface Captures extends Reviews {
  readonly jobs: Jobs
  /** Runs work on the folder of a composition as it is staged. */
  useStaged<T>(entry: string, signal: AbortSignal, work: (folder: StateFolder) => Promise<T>): Promise<T>
  exactFrame(body: FrameBody, signal: AbortSignal): Promise<Uint8Array>
  check(body: CheckBody, signal: AbortSignal): Promise<Omit<CheckReply, 'revision'>>
  /** Forgets copies and open pages of files that have changed. */
  renew(): void
}

/** What the captures of a preview are made of. */
export interface CapturesOptions {
  /** Absolute, links resolved. */
  readonly dir: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** What the renderers are made with. */
  readonly environment: ContextOptions
  readonly context: RenderContext
  /** Absolute folder for temporary files, which its owner removes. */
  readonly scratch: string
  readonly settings: () => Promise<ProjectSettings>
  readonly edits: Pick<Edits, 'stagedFor'>
  send(event: PreviewEvent): void
  readonly signal: AbortSignal
  /** Registers clean-up, which runs at the end in reverse order. */
  readonly atEnd: (end: () => Promise<void>) => void
}

/** Milliseconds that a browser waits for the next frame or check. */
const IDLE_MS = 30_000

/**
 * Opens the renderers of a preview: a frame must not wait until a video is rendered, nor until a composition is checked. The browsers
 * of the last frame and of the last check stay for the next one alone.
 */
const openRenderers = async (environment: ContextOptions, atEnd: CapturesOptions['atEnd']) => {
  const idle = { browsers: 1, ms: IDLE_MS }
  const [renders, stills, checks] = await Promise.all([
    createRenderer({ ...environment, idle: { browsers: 0, ms: 0 } }),
    createRenderer({ ...environment, idle }),
    createRenderer({ ...environment, idle }),
  ])
  atEnd(async () => {
    await Promise.all([renders.close(), stills.close(), checks.close()])
  })
  return { renders, stills, checks }
}

/** Opens what captures the states of a project's compositions. */
export const openCaptures = async (options: CapturesOptions): Promise<Captures> => {
  const { dir, cwd, env, environment, context, scratch, settings, edits, send, signal, atEnd } = options
  const { renders, stills, checks } = await openRenderers(environment, atEnd)
  let copyPlace: Promise<string> | undefined
  const placeOfCopies = () => {
    copyPlace ??= findCopyPlace(dir, scratch, atEnd)
    return copyPlace
  }
  const states = createStateFolders({ dir, scratch: placeOfCopies, stagedFor: edits.stagedFor }, signal)
  const { use } = states
  const exact = createExactFrames(stills)
  atEnd(exact.close)
  const useStaged: Captures['useStaged'] = (entry, useSignal, work) => use(entry, 'staged', useSignal, work)
  const inTurn = createSequence()
  const background = createBackground()
  const urgently: typeof use = (...parts) => background.first(() => inTurn(() => use(...parts)))
  return {
    renew() {
      states.renew()
      exact.renew()
    },
    useStaged,
    ...openReviews({ use, background, renderer: checks, dir, env, context, scratch, settings, send }),
    jobs: createJobs({
      renderer: renders,
      useStaged: (...parts) => background.first(() => useStaged(...parts)),
      dir,
      cwd,
      onChange: (job) => send({ type: 'job', job }),
    }),
    exactFrame: (body, frameSignal) =>
      urgently(body.entry, body.state ?? 'staged', frameSignal, ({ projectDir }) =>
        exact.take(projectDir, body, frameSignal),
      ),
    check: (body, checkSignal) =>
      urgently(body.entry, 'staged', checkSignal, async ({ projectDir, state }) => ({
        state,
        ...(await checkByCapture(stills, projectDir, body, checkSignal)),
      })),
  }
}

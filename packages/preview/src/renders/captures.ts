import { type ContextOptions, createRenderer, type RenderContext } from '@vid/render'
import type { CheckBody, CheckReply, FrameBody, PreviewEvent } from '../api.ts'
import { createBackground } from '../background/background.ts'
import { findChanges } from '../background/find-changes.ts'
import { findFindings } from '../background/find-findings.ts'
import type { Edits } from '../edits/edits.ts'
import type { ChangesBody, ChangesReply, FindingsBody, FindingsReply } from '../findings-api.ts'
import { createSequence } from '../media/kept.ts'
import type { ProjectSettings } from '../project/settings.ts'
import { findCopyPlace } from '../states/copy-place.ts'
import { createFilmStates } from '../states/film-states.ts'
import { checkByCapture } from './capture-check.ts'
import { captureExact } from './exact-frame.ts'
import { createJobs, type Jobs } from './jobs.ts'

/** Everything of a preview that is captured as a render captures it. */
export interface Captures {
  readonly jobs: Jobs
  exactFrame(body: FrameBody, signal: AbortSignal): Promise<Buffer>
  check(body: CheckBody, signal: AbortSignal): Promise<Omit<CheckReply, 'revision'>>
  findings(body: FindingsBody, signal: AbortSignal): Promise<Omit<FindingsReply, 'revision'>>
  changes(body: ChangesBody, signal: AbortSignal): Promise<Omit<ChangesReply, 'revision'>>
  /** Forgets copies of files that have changed. */
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
 * Opens the renderers of a preview: a frame must not wait until a video is rendered, nor until a film is checked. The browsers
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

/** Opens what captures the states of a project's films. */
export const openCaptures = async (options: CapturesOptions): Promise<Captures> => {
  const { dir, cwd, env, environment, context, scratch, settings, edits, send, signal, atEnd } = options
  const { renders, stills, checks } = await openRenderers(environment, atEnd)
  let copyPlace: Promise<string> | undefined
  const placeOfCopies = () => {
    copyPlace ??= findCopyPlace(dir, scratch, atEnd)
    return copyPlace
  }
  const { use, renew } = createFilmStates({ dir, scratch: placeOfCopies, stagedFor: edits.stagedFor }, signal)
  const inTurn = createSequence()
  const background = createBackground()
  return {
    renew,
    jobs: createJobs({
      renderer: renders,
      useStaged: (entry, work, jobSignal) => background.first(() => use(entry, 'staged', work, jobSignal)),
      dir,
      cwd,
      onChange: (job) => send({ type: 'job', job }),
    }),
    exactFrame: (body, frameSignal) => {
      const capture = ({ projectDir }: { readonly projectDir: string }) =>
        captureExact(stills, { projectDir, scratch }, body, frameSignal)
      return background.first(() => inTurn(() => use(body.entry, body.state ?? 'staged', capture, frameSignal)))
    },
    check: (body, checkSignal) =>
      background.first(() =>
        inTurn(() =>
          use(
            body.entry,
            'staged',
            async ({ projectDir, state }) => ({
              state,
              ...(await checkByCapture(stills, projectDir, body, checkSignal)),
            }),
            checkSignal,
          ),
        ),
      ),
    findings: (body, requestSignal) =>
      background.run(
        (runSignal) =>
          use(
            body.entry,
            'staged',
            (folder) =>
              findFindings(folder, body, {
                renderer: checks,
                context,
                signal: runSignal,
                onProgress: (done, total) => send({ type: 'checking', entry: body.entry, done, total }),
              }),
            runSignal,
          ),
        requestSignal,
      ),
    changes: (body, requestSignal) =>
      background.run(
        (runSignal) =>
          use(
            body.entry,
            body.since,
            (before) =>
              use(
                body.entry,
                'staged',
                async (after) => {
                  const { fps } = await settings()
                  return findChanges(before, after, body, {
                    renderer: checks,
                    dir,
                    scratch,
                    env,
                    fps,
                    signal: runSignal,
                  })
                },
                runSignal,
              ),
            runSignal,
          ),
        requestSignal,
      ),
  }
}

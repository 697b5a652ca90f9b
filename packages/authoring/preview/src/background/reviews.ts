import type { RenderContext, Renderer } from '@vid/render'
import type { PreviewEvent } from '../api.ts'
import type { ChangesBody, ChangesReply, FindingsBody, FindingsReply } from '../findings-api.ts'
import type { ProjectSettings } from '../project/settings.ts'
import type { StateFolders } from '../states/state-folders.ts'
import type { Background } from './background.ts'
import { findChanges } from './find-changes.ts'
import { findFindings } from './find-findings.ts'

/** What is found out about whole compositions while nothing else is captured. */
export interface Reviews {
  findings(body: FindingsBody, signal: AbortSignal): Promise<Omit<FindingsReply, 'revision'>>
  changes(body: ChangesBody, signal: AbortSignal): Promise<Omit<ChangesReply, 'revision'>>
}

/** What the reviews of a project are made with. */
export interface ReviewsOptions extends Pick<StateFolders, 'use'> {
  readonly background: Background
  readonly renderer: Renderer
  /** Absolute folder of the project. */
  readonly dir: string
  readonly env: NodeJS.ProcessEnv
  readonly context: RenderContext
  /** Absolute folder for temporary files. */
  readonly scratch: string
  readonly settings: () => Promise<ProjectSettings>
  send(event: PreviewEvent): void
}

/** Opens the reviews of a project's compositions. */
export const openReviews = (options: ReviewsOptions): Reviews => {
  const { use, background, renderer, dir, env, context, scratch, settings, send } = options
  return {
    findings: (body, requestSignal) => {
      const { entry } = body
      const onProgress = (done: number, total: number) => send({ type: 'checking', entry, done, total })
      return background.run(
        (signal) =>
          use(entry, 'staged', signal, (folder) =>
            findFindings(folder, body, { renderer, context, signal, onProgress }),
          ),
        requestSignal,
      )
    },
    changes: (body, requestSignal) => {
      const { entry, since } = body
      return background.run(async (signal) => {
        const parts = { renderer, dir, scratch, env, fps: (await settings()).fps, signal }
        return use(entry, since, signal, (before) =>
          use(entry, 'staged', signal, (after) => findChanges(before, after, body, parts)),
        )
      }, requestSignal)
    },
  }
}

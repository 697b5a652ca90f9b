import { join } from 'node:path'
import {
  advanceProgress,
  eventProblems,
  failRender,
  type ProgressState,
  type RenderEventDraft,
  type RenderRequest,
} from '@vid/protocol'
import type { KernelSetup, OpenRender } from '../contracts/kernel-types.ts'
import type { PluginOf } from '../contracts/plugin.ts'
import type { RemoteResult, RequestContext } from '../contracts/targets.ts'
import { wrongAnswer } from '../supervision/answers.ts'
import { blame } from '../supervision/blame.ts'
import { ask } from '../supervision/supervise-hooks.ts'
import { progressOf } from './progress.ts'
import { checkReceived } from './received.ts'
import { foreignSettings } from './taken-settings.ts'

type Target = PluginOf<'target'>
type RequestTarget = Extract<Target, { readonly render: unknown }>

/** Whether a target takes requests whole, so that nothing is planned or captured here. */
export const takesRequests = (target: Target | undefined): target is RequestTarget =>
  typeof target?.render === 'function'

/** Refuses a request that its target cannot render, in the target's own words. */
export const checkTarget = (target: Target | undefined, request: RenderRequest): void => {
  if (!takesRequests(target)) return
  const { name: plugin, options, takes } = target
  const refusals = () => {
    try {
      return target.refuses?.(request, options) ?? []
    } catch (thrown) {
      throw blame(thrown, plugin, 'refuses')
    }
  }
  const problems = [...(takes ? foreignSettings(request, takes) : []), ...refusals()]
  if (problems.length > 0) throw failRender('VID_TARGET_REFUSES', { plugin, problems }, { plugin })
}

/** The path for the artifact of each output, with the extension of the local encoder. */
const pathsOf = ({ encoders }: KernelSetup, { format, outputs }: RenderRequest, workDir: string) => {
  const pathOf = (wanted: string, index: number) => {
    const encoder = encoders.find(({ formats }) => formats.includes(wanted))
    if (!encoder)
      throw failRender('VID_FORMAT_UNKNOWN', {
        format: wanted,
        known: encoders.flatMap(({ formats }) => formats),
      })
    return join(workDir, `video${index || ''}${encoder.extension ?? `.${wanted}`}`)
  }
  const more = outputs.map((output, index) => pathOf(output.format, index + 1))
  return [pathOf(format, 0), ...more] as const
}

/** Callbacks for a rendering target; invalid reports, and reports after its end, are dropped. */
const createReports = (run: OpenRender) => {
  let isOpen = true
  let position: number | undefined
  let state: ProgressState | undefined
  const { renderId } = run
  // A remote side of another version must not end a render that succeeds.
  const mayEmit = (event: RenderEventDraft) => isOpen && eventProblems({ ...event, renderId }).length === 0
  const emit = (event: RenderEventDraft) => {
    if (mayEmit(event)) run.emit(event)
  }
  const reports: Pick<RequestContext<unknown>, 'accepted' | 'queued' | 'progress' | 'segment'> = {
    accepted: (remoteId) => emit({ type: 'render-accepted', farId: remoteId }),
    queued(ahead) {
      if (ahead !== position) emit({ type: 'render-queued', position: ahead })
      position = ahead
    },
    progress({ stage, framesRendered, totalFrames }) {
      // This side delivers, once the artifact is here.
      if (stage !== 'plan' && stage !== 'render' && stage !== 'join') return
      const rendered = totalFrames > 0 ? Math.min(framesRendered, totalFrames) : framesRendered
      const event = progressOf(stage, rendered, totalFrames)
      if (!mayEmit(event)) return
      const before = state
      state = advanceProgress(before, { stage, framesRendered: rendered, totalFrames }, performance.now())
      if (state !== before) run.emit(event)
    },
    segment: ({ index, frames, reused }) =>
      emit({ type: 'segment-complete', index, frames, ...(reused !== undefined && { reused }) }),
  }
  return {
    reports,
    end() {
      isOpen = false
    },
  }
}

/** Lets the target of a render take its request. */
export const tapRequestTarget = (run: OpenRender, setup: KernelSetup, target: RequestTarget): void => {
  run.as(target.name, () =>
    run.hooks.request.tapPromise(target.name, async ({ request }) => {
      const context = run.context(target)
      const { reports, end } = createReports(run)
      try {
        const result: RemoteResult | undefined = await target.render(request, {
          ...context,
          ...reports,
          ...(setup.origin && { origin: setup.origin }),
          paths: pathsOf(setup, request, context.workDir),
        })
        if (!result) throw wrongAnswer(target.name, 'request', 'a result, as { artifact, frames, durationMs }', result)
        return result
      } finally {
        end()
      }
    }),
  )
}

/** Has a request rendered by the target that takes it whole, and checks what came back. */
export const renderWhole = async (
  run: OpenRender,
  target: RequestTarget,
  request: RenderRequest,
): Promise<RemoteResult> => {
  checkTarget(target, request)
  const result = await ask('request', 'the request', run.hooks.request.promise({ request }))
  const { warnings = [] } = await checkReceived(target.name, result, request, run.signal)
  for (const warning of warnings) run.warn({ plugin: target.name, ...warning })
  return result
}

import { join } from 'node:path'
import {
  artifactBytes,
  checkFrames,
  failRender,
  mixSound,
  type OpenRender,
  type RenderPlan,
  type Segment,
} from '@vid/protocol'
import { ask } from './hooks.ts'
import type { Scope } from './kernel.ts'
import type { Pages } from './pages.ts'
import { planUse } from './plan.ts'

/** The work that targets spread: segments captured and encoded, then joined, by the plan's encoder. */
export const createSegments = (scope: Scope, pages: Pages): Pick<OpenRender, 'renderSegment' | 'join'> => {
  const { setup, hooks, watch, as, context, report, workDir, trusted } = scope
  let rendered = 0
  let attempts = 0
  for (const encoder of setup.encoders)
    as(encoder.name, () => {
      hooks.encode.tapPromise(encoder.name, async ({ segment, frames, signal }) => {
        const { name, options } = segment.plan.encoder
        if (name !== encoder.name) return undefined
        return encoder.encode(frames, segment, context(encoder, signal, options))
      })
      hooks.join.tapPromise(encoder.name, async ({ segments, audio, output }) => {
        const { name, options } = output.plan.encoder
        if (name !== encoder.name) return undefined
        if (!encoder.join) return segments[0] && { path: segments[0].file }
        return encoder.join(segments, audio, output, context(encoder, scope.signal, options))
      })
    })
  const encoderOf = (plan: RenderPlan, hook: string) => {
    const encoder = setup.encoders.find(({ name }) => name === plan.encoder.name)
    if (!encoder) throw failRender('VID_HOOK_UNANSWERED', { hook, wanted: plan.encoder.name })
    return encoder
  }
  // A plan from elsewhere: the same plan must give the same bytes here.
  const checkBuild = async (use: RenderPlan['capture'], plugin: Parameters<typeof planUse>[1]) => {
    const { build: found } = await planUse(scope, plugin)
    if (found !== use.build)
      throw failRender('VID_PLAN_BUILD', { plugin: use.name, planned: use.build, found })
  }

  return {
    async renderSegment(plan, index, part = {}) {
      const encoder = encoderOf(plan, 'encode')
      const { accepts, name } = encoder
      const segment = plan.segments[index] as Segment
      if (!segment) throw failRender('VID_HOOK_UNANSWERED', { hook: 'encode', wanted: `segment ${index}` })
      if (!trusted.has(plan)) {
        await checkBuild(plan.capture, setup.capture)
        await checkBuild(plan.encoder, encoder)
        trusted.add(plan)
      }
      const { start, frames } = segment
      const plugin = plan.capture.name
      const signal = part.signal ? AbortSignal.any([scope.signal, part.signal]) : scope.signal
      attempts += 1
      const path = join(workDir, `segment-${String(index).padStart(5, '0')}-${attempts}`)

      return pages.use(plan, start, start + frames, async (page) => {
        let read = 0
        let waitedMs = 0
        let failure: unknown
        // Between two plugins: what fails here is the fault of the one that makes the frames.
        async function* supervised() {
          const made = watch.iterate(plugin, 'capture', page.frames(segment, accepts, plan), signal)
          let from = performance.now()
          try {
            for await (const frame of checkFrames(made, { ...plan, ...segment, accepts, plugin })) {
              waitedMs += performance.now() - from
              signal.throwIfAborted()
              read += 1
              rendered += 1
              part.onFrame?.()
              report('render', rendered, plan.frames)
              yield frame
              from = performance.now()
            }
            waitedMs += performance.now() - from
          } catch (thrown) {
            failure = thrown
            throw thrown
          }
        }
        const stream = supervised()
        try {
          const job = { segment: { ...segment, plan, path }, frames: stream, signal }
          const encoded = await ask('encode', name, hooks.encode.promise(job))
          await stream.return(undefined)
          const facts = { plugin: name, read, wanted: frames }
          if (read < frames) throw failRender('VID_FRAMES_UNREAD', facts, { plugin: name, hook: 'encode' })
          await artifactBytes(name, 'encode', encoded.file)
          return encoded
        } catch (thrown) {
          rendered -= read
          await stream.return(undefined).catch(() => {})
          // An encoder that was reading fails too, but it is not to blame.
          throw failure ?? thrown
        } finally {
          watch.charge(name, 'encode', -waitedMs, 0)
        }
      })
    },
    async join(plan, segments, audio) {
      scope.signal.throwIfAborted()
      const encoder = encoderOf(plan, 'join')
      const { name, extension = `.${plan.format}` } = encoder
      report('join', plan.frames, plan.frames)
      const output = { plan, path: join(workDir, `video${extension}`) }
      const own = context({ name, options: {} })
      const sound = audio ?? (await mixSound(hooks, encoder, { ...own, plan, path: join(workDir, 'sound') }))
      const artifact = await ask('join', name, hooks.join.promise({ segments, audio: sound, output }))
      await artifactBytes(name, 'join', artifact.path)
      return artifact
    },
  }
}

import { join } from 'node:path'
import { failRender, outputPlans, type RenderPlan, type Segment } from '@vid/protocol'
import type { OpenRender } from '../contracts/kernel-types.ts'
import type { CaptureSession, MixedSound, SegmentMaker } from '../contracts/roles.ts'
import { sharedFormats, shareFrames } from '../frames/shared-frames.ts'
import { ask } from '../supervision/supervise-hooks.ts'
import { artifactBytes } from './artifact.ts'
import type { Scope } from './kernel.ts'
import type { Pages } from './pages.ts'
import { planUse } from './plan.ts'
import { mixSound } from './sound.ts'
import type { StoreLease } from './store-lease.ts'

/** The work that targets spread: segments captured and encoded, then joined, by the plan's encoders. */
export const createSegments = (
  scope: Scope,
  pages: Pages,
  store: StoreLease,
): Pick<OpenRender, 'renderSegment' | 'join'> => {
  const { setup, hooks, watch, as, context, report, workDir, trusted } = scope
  const rendered = new Map<number, number>()
  let attempts = 0
  for (const encoder of setup.encoders)
    as(encoder.name, () => {
      const own = (plan: RenderPlan, signal = scope.signal) =>
        plan.encoder.name === encoder.name ? context(encoder, signal, plan.encoder.options) : undefined
      hooks.encode.tapPromise(encoder.name, async ({ segment, frames, signal }) => {
        const given = own(segment.plan, signal)
        return given && encoder.encode(frames, segment, given)
      })
      hooks.join.tapPromise(encoder.name, async ({ segments, audio, output }) => {
        const given = own(output.plan)
        if (!given) return undefined
        if (!encoder.join) return segments[0] && { path: segments[0].file }
        return encoder.join(segments, audio, output, given)
      })
      hooks.verify.tapPromise(encoder.name, async (made) => {
        const given = own(made.plan)
        if (given) await encoder.verify?.(made, given)
      })
    })
  const encoderOf = (plan: RenderPlan, hook: string) => {
    const encoder = setup.encoders.find(({ name }) => name === plan.encoder.name)
    if (!encoder) throw failRender('VID_HOOK_UNANSWERED', { hook, wanted: plan.encoder.name })
    return encoder
  }
  const accepted = (plans: readonly RenderPlan[], hook: string) =>
    sharedFormats(plans.map((plan) => encoderOf(plan, hook).accepts))
  // A plan from elsewhere: the same plan must give the same bytes here.
  const checkBuilds = async (plans: readonly RenderPlan[]) => {
    const uses = plans.map((plan) => [plan.encoder, encoderOf(plan, 'encode')] as const)
    for (const [use, plugin] of [[plans[0]?.capture, setup.capture] as const, ...uses]) {
      const { build: found } = await planUse(scope, plugin)
      if (use && found !== use.build)
        throw failRender('VID_PLAN_BUILD', { plugin: use.name, planned: use.build, found })
    }
  }

  return {
    async renderSegment(plan, index, part = {}) {
      const plans = outputPlans(plan)
      const accepts = accepted(plans, 'encode')
      const segment = plan.segments[index] as Segment
      if (!segment) throw failRender('VID_HOOK_UNANSWERED', { hook: 'encode', wanted: `segment ${index}` })
      if (!trusted.has(plan)) await checkBuilds(plans)
      trusted.add(plan)
      const signal = part.signal ? AbortSignal.any([scope.signal, part.signal]) : scope.signal
      attempts += 1
      const path = join(workDir, `segment-${String(index).padStart(5, '0')}-${attempts}`)
      const count = (frames: number) => {
        rendered.set(index, frames)
        report(
          'render',
          [...rendered.values()].reduce((sum, each) => sum + each, 0),
          plan.frames,
        )
      }
      let page: CaptureSession | undefined
      // Between two plugins: what fails here is the fault of the one that makes the frames.
      async function* counted(frames: ReturnType<SegmentMaker['frames']>) {
        let read = 0
        try {
          for await (const frame of frames) {
            read += 1
            part.onFrame?.()
            count(read)
            yield frame
          }
        } finally {
          part.onCaptured?.()
        }
      }
      const make: SegmentMaker = {
        frames: (range = segment) =>
          pages.frames(plan, range, accepts, signal, (session) => {
            page = session
          }),
        inputs: async () => page?.inputs?.(),
        async encode(frames) {
          const shared = shareFrames(counted(frames), plans.length)
          const failed = new AbortController()
          const either = AbortSignal.any([signal, failed.signal])
          const jobs = plans.map(async (own, at) => {
            const { name } = own.encoder
            const reader = shared.readers[at] as (typeof shared.readers)[number]
            const job = { ...segment, plan: own, path: at === 0 ? path : `${path}-${at}` }
            try {
              const encode = hooks.encode.promise({ segment: job, frames: reader, signal: either })
              const encoded = await ask('encode', name, encode)
              const facts = { plugin: name, read: reader.read, wanted: segment.frames }
              if (reader.read < segment.frames)
                throw failRender('VID_FRAMES_UNREAD', facts, { plugin: name, hook: 'encode' })
              await artifactBytes(name, 'encode', encoded.file)
              return encoded
            } finally {
              watch.charge(name, 'encode', -reader.waitedMs, 0)
            }
          })
          try {
            const [first, ...more] = await Promise.all(jobs)
            return more.length > 0 ? { ...(first as { file: string }), more } : (first as { file: string })
          } catch (thrown) {
            failed.abort(thrown)
            // An encoder that was reading fails too, but it is not to blame.
            throw shared.failure() ?? thrown
          } finally {
            await shared.stop().catch(() => {})
            await Promise.allSettled(jobs)
          }
        },
      }
      try {
        const { open: openStore } = store
        const { name = '@vid/kernel' } = setup.store ?? {}
        const { options: _, ...facts } = context({ name, options: {} }, signal)
        const { options: captureOptions } = context(setup.capture, signal, plan.capture.options)
        const task = { ...facts, segment: { ...segment, plan, path }, make, captureOptions }
        const found = await hooks.segment.promise(openStore ? { ...task, openStore } : task)
        const encoded = found ?? (await make.encode(make.frames()))
        if (rendered.get(index) !== segment.frames) count(segment.frames)
        const { reused } = encoded
        scope.emit({ type: 'segment-complete', index, frames: segment.frames, ...(reused && { reused }) })
        return encoded
      } catch (thrown) {
        rendered.delete(index)
        throw thrown
      }
    },
    async join(plan, segments, audio) {
      scope.signal.throwIfAborted()
      // Other renders may have their browser while this one is put together.
      await Promise.all([pages.release(), store.close()])
      report('join', plan.frames, plan.frames)
      const artifacts = []
      let sound: MixedSound | undefined = audio
      for (const [at, own] of outputPlans(plan).entries()) {
        const encoder = encoderOf(own, 'join')
        const { name, extension = `.${own.format}` } = encoder
        const files = at === 0 ? segments : segments.map(({ more }) => more?.[at - 1] as { file: string })
        const output = { plan: own, path: join(workDir, `video${at || ''}${extension}`) }
        const given = { ...context({ name, options: {} }), plan: own, path: join(workDir, 'sound') }
        const mixed = sound && encoder.audio !== false ? sound : await mixSound(hooks, encoder, given)
        sound ??= mixed
        const heard = mixed?.file ? { file: mixed.file } : undefined
        const job = { segments: files, audio: heard, output }
        const artifact = await ask('join', name, hooks.join.promise(job))
        await artifactBytes(name, 'join', artifact.path)
        const frame = async (index: number) => {
          const range = { index: 0, start: index, frames: 1 }
          for await (const only of pages.frames(plan, range, encoder.accepts, scope.signal)) return only
          throw failRender('VID_HOOK_UNANSWERED', { hook: 'capture', wanted: `frame ${index}` })
        }
        await hooks.verify.promise({ plan: own, artifact, sound: heard !== undefined, frame })
        artifacts.push(artifact)
      }
      const [first, ...more] = artifacts as [{ path: string }, ...{ path: string }[]]
      return more.length > 0 ? { ...first, more } : first
    },
  }
}

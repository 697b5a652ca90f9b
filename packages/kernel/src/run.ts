import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  Artifact,
  CaptureSession,
  EncodedFile,
  KernelHooks,
  PlanContext,
  PluginContext,
  PluginIdentity,
  PluginOf,
} from '@vid/protocol'
import {
  canonicalJson,
  type RenderEvent,
  type RenderPlan,
  RenderPlanSchema,
  type RenderRequest,
  schemaProblems,
  splitFrames,
  type Warning,
} from '@vid/protocol'
import { superviseFrames } from './frames.ts'
import { fail } from './kernel-errors.ts'
import type { Watch } from './watch.ts'

/** The plugins of a kernel, by role. */
export interface KernelSetup {
  readonly capture: PluginOf<'capture'>
  readonly encoders: readonly PluginOf<'encoder'>[]
  readonly target?: PluginOf<'target'>
  readonly deliveries?: readonly PluginOf<'delivery'>[]
  readonly plugins?: readonly PluginOf<'plugin'>[]
}

/** One render in this process: its folder, its open pages, and what it has warned about. */
export interface RunOptions {
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly signal?: AbortSignal | undefined
  onEvent?(event: RenderEvent): void
}

interface IdleSession {
  readonly key: string
  readonly session: CaptureSession
  next: number
}

/** Only what decides a page's pixels: two plans that agree in it can share an open page. */
const pageKey = ({ composition, width, height, fps, variables, alpha, capture }: RenderPlan) =>
  canonicalJson({ entry: composition.entry, width, height, fps, variables, alpha, capture })

/** The portable functions, all that a target needs, over one scratch folder. */
export interface Run {
  readonly signal: AbortSignal
  readonly warnings: readonly Warning[]
  plan(request: RenderRequest): Promise<RenderPlan>
  /** Captures and encodes one segment of a plan that was made here or elsewhere. */
  renderSegment(plan: RenderPlan, index: number, part?: SegmentPart): Promise<EncodedFile>
  join(plan: RenderPlan, segments: readonly EncodedFile[], audio?: EncodedFile): Promise<Artifact>
  context(plugin: Pick<PluginIdentity, 'name' | 'options'>, signal?: AbortSignal): PluginContext
  /** Stops what still runs, closes every page and removes the scratch folder. */
  close(): Promise<void>
}
export interface SegmentPart {
  readonly signal?: AbortSignal
  onFrame?(): void
}

export const openRun = async (
  setup: KernelSetup,
  hooks: KernelHooks,
  watch: Watch,
  options: RunOptions,
): Promise<Run> => {
  const workDir = await mkdtemp(join(tmpdir(), 'vid-'))
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const warnings: Warning[] = []
  const idle: IdleSession[] = []
  const open = new Set<CaptureSession>()
  const planned = new WeakSet<RenderPlan>()
  let attempts = 0

  const warn = (warning: Warning) => {
    if (warnings.some((known) => known.code === warning.code && known.message === warning.message)) return
    warnings.push(warning)
    options.onEvent?.({ type: 'warning', warning })
  }
  const context = (plugin: Pick<PluginIdentity, 'name' | 'options'>, own = signal): PluginContext => ({
    options: plugin.options,
    signal: own,
    projectDir: options.projectDir,
    workDir,
    warn: (warning) => warn({ plugin: plugin.name, ...warning }),
  })
  const ask = async <T>(hook: string, wanted: string, answer: Promise<T | undefined>): Promise<T> => {
    const value = await answer
    if (value === undefined || value === null) throw fail('VID_HOOK_UNANSWERED', { hook, wanted })
    return value
  }

  /** A page that has not passed `start` yet, the nearest first; else a new one. */
  const takeSession = async (plan: RenderPlan, start: number): Promise<IdleSession> => {
    const key = pageKey(plan)
    const fit = idle
      .filter((page) => page.key === key && page.next <= start)
      .sort((a, b) => b.next - a.next)[0]
    if (fit) return idle.splice(idle.indexOf(fit), 1)[0] as IdleSession
    const session = await ask('capture', plan.capture.name, hooks.capture.promise(plan))
    open.add(session)
    return { key, session, next: 0 }
  }
  const dropSession = async ({ session }: IdleSession) => {
    open.delete(session)
    await watch.run(setup.capture.name, 'capture', () => session.close(), signal)
  }

  const planContext = (request: RenderRequest): PlanContext => ({
    request,
    signal,
    warn,
    async probe(draft) {
      const page = await takeSession(draft, 0)
      try {
        const probe = await watch.run(draft.capture.name, 'capture', () => page.session.probe(), signal)
        idle.push(page)
        return probe
      } catch (thrown) {
        await dropSession(page).catch(() => {})
        throw thrown
      }
    },
  })

  const use = async (
    plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
    settings: Record<string, unknown>,
  ) => ({
    name: plugin.name,
    options: plugin.options,
    settings,
    build: (await watch.run(plugin.name, 'build', () => plugin.build?.(context(plugin)), signal)) ?? '',
  })
  const checkBuild = async (
    planned: RenderPlan['capture'],
    plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
  ) => {
    const { build } = await use(plugin, {})
    if (build !== planned.build)
      throw fail('VID_PLAN_BUILD', { plugin: planned.name, planned: planned.build, found: build })
  }

  const plan = async (request: RenderRequest): Promise<RenderPlan> => {
    const encoder = setup.encoders.find(({ formats }) => formats.includes(request.format))
    if (!encoder)
      throw fail('VID_FORMAT_UNKNOWN', {
        format: request.format,
        known: setup.encoders.flatMap((e) => e.formats),
      })
    const fps = Math.min(request.fps, encoder.maxFps ?? request.fps)
    if (fps < request.fps)
      warn({
        code: 'VID_FPS_CAPPED',
        message: `${request.format} is limited to ${fps} fps; got ${request.fps}`,
      })
    const settings = watch.runSync(encoder.name, 'settings', () =>
      encoder.settings?.({ ...request, fps }, encoder.options),
    )
    const tapContext = planContext({ ...request, fps })
    const variables = await hooks.resolve.promise(request.variables, tapContext)
    const draft: RenderPlan = {
      version: 1,
      composition: { entry: request.entry, id: '', digest: '', stateful: true },
      width: 1,
      height: 1,
      fps,
      frames: 1,
      duration: 1 / fps,
      variables,
      format: request.format,
      alpha: encoder.alpha ?? false,
      segments: [{ index: 0, start: 0, frames: 1 }],
      capture: await use(setup.capture, {}),
      encoder: await use(encoder, settings ?? {}),
      audio: [],
      media: [],
    }
    const tapped = await hooks.plan.promise(draft, tapContext)
    const size = encoder.join ? request.segmentFrames : tapped.frames
    const whole = { ...tapped, segments: splitFrames(tapped.frames, size) }
    const problems = schemaProblems(RenderPlanSchema, whole)
    if (problems.length > 0) throw fail('VID_PLAN_INVALID', { problems })
    const plan = JSON.parse(JSON.stringify(whole)) as RenderPlan
    planned.add(plan)
    return plan
  }

  const renderSegment: Run['renderSegment'] = async (of, index, part = {}) => {
    const segment = of.segments[index]
    const encoder = setup.encoders.find(({ name }) => name === of.encoder.name)
    if (!segment || !encoder)
      throw fail('VID_HOOK_UNANSWERED', { hook: 'encode', wanted: `${of.encoder.name}, segment ${index}` })
    if (!planned.has(of))
      await Promise.all([checkBuild(of.capture, setup.capture), checkBuild(of.encoder, encoder)])
    planned.add(of)
    const own = part.signal ? AbortSignal.any([signal, part.signal]) : signal
    const page = await takeSession(of, segment.start)
    const { stream, state } = superviseFrames({
      plan: of,
      segment,
      accepts: encoder.accepts,
      frames: page.session.frames(segment, encoder.accepts),
      watch,
      signal: own,
      onFrame: () => part.onFrame?.(),
    })
    try {
      attempts += 1
      const path = join(workDir, `segment-${String(index).padStart(5, '0')}-${attempts}`)
      const job = { plan: of, segment: { ...segment, plan: of, path }, frames: stream, signal: own }
      const encoded = await ask('encode', of.encoder.name, hooks.encode.promise(job))
      const { read } = state
      if (read < segment.frames)
        throw fail(
          'VID_FRAMES_UNREAD',
          { plugin: encoder.name, read, wanted: segment.frames },
          { plugin: encoder.name, hook: 'encode' },
        )
      page.next = segment.start + segment.frames
      idle.push(page)
      return encoded
    } catch (thrown) {
      await stream.return(undefined)
      await dropSession(page).catch(() => {})
      // An encoder that was reading fails too, but it is not to blame.
      throw state.failure ?? thrown
    } finally {
      watch.charge(encoder.name, 'encode', -state.waitedMs, 0)
    }
  }

  const joinSegments: Run['join'] = async (of, segments, audio) => {
    const encoder = setup.encoders.find(({ name }) => name === of.encoder.name)
    const path = join(workDir, `video${encoder?.extension ?? `.${of.format}`}`)
    const artifact = await ask(
      'join',
      of.encoder.name,
      hooks.join.promise({ segments, audio, output: { plan: of, path } }),
    )
    const made = await stat(artifact.path).catch(() => undefined)
    if (!made || (made.isFile() && made.size === 0))
      throw fail(
        'VID_ARTIFACT_MISSING',
        { plugin: of.encoder.name, path: artifact.path },
        { plugin: of.encoder.name, hook: 'join' },
      )
    return artifact
  }

  const close = async () => {
    stop.abort()
    await Promise.allSettled(
      [...open].map((session) => watch.run(setup.capture.name, 'capture', () => session.close(), signal)),
    )
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 })
  }

  return { signal, warnings, plan, renderSegment, join: joinSegments, context, close }
}

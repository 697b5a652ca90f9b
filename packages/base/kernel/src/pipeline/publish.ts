import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { failRender, type RenderPlan, type RenderRequest, type VidError } from '@vid/protocol'
import type { KernelSetup, OpenPublication, Publishing } from '../contracts/kernel-types.ts'
import type { EncodedFile, Publication } from '../contracts/roles.ts'
import { outputPlans } from '../plan/draft-plan.ts'
import { checkAnswer } from '../supervision/answers.ts'
import { warningOf } from '../supervision/blame.ts'
import { takesRequests } from './request-target.ts'
import type { Scope } from './scope.ts'
import type { Sounds } from './shared-sound.ts'
import { beginSound } from './sound.ts'

/** Publishes finished segments in the order of the video. */
export interface Publisher {
  /** Takes a finished segment of a plan, in any order; does not wait until it is published. */
  take(plan: RenderPlan, index: number, encoded: EncodedFile): void
  /** The sound that was mixed for the publication; undefined without any. */
  sound(): Promise<EncodedFile | undefined>
  /** Publishes what was taken, and ends the publication; a failure is a warning. */
  end(): Promise<void>
}

const formatsOf = ({ format, outputs }: RenderRequest) => [format, ...outputs.map((output) => output.format)]

/** The output path of what a request publishes; undefined for nothing. */
export const publishedOutput = (
  { encoders, target }: Pick<KernelSetup, 'encoders' | 'target'>,
  request: Pick<RenderRequest, 'format' | 'output' | 'outputs'>,
): string | undefined => {
  const publishes = (format: string) => encoders.find((encoder) => encoder.formats.includes(format))?.publish
  return takesRequests(target)
    ? undefined
    : [request, ...request.outputs].find(({ format }) => publishes(format))?.output
}

/** Whether anything of a request can be published. */
export const isPublishable = (setup: KernelSetup, request: RenderRequest): boolean =>
  publishedOutput(setup, request) !== undefined

/** Refuses a request of which nothing could be published. */
export const checkPublishing = (setup: KernelSetup, request: RenderRequest): void => {
  const { target } = setup
  if (takesRequests(target))
    throw failRender(
      'VID_TARGET_REFUSES',
      { plugin: target.name, problems: ['a video cannot be played while it is rendered there'] },
      { plugin: target.name },
    )
  if (!isPublishable(setup, request)) throw failRender('VID_PUBLISH_FORMAT', { formats: formatsOf(request) })
}

/** The first output of a plan whose encoder publishes. */
const chooseOutput = ({ setup }: Scope, plan: RenderPlan) => {
  for (const [index, output] of outputPlans(plan).entries()) {
    const encoder = setup.encoders.find(({ name }) => name === output.encoder.name)
    if (encoder?.publish) return { encoder, publish: encoder.publish, output, index }
  }
  throw failRender('VID_PUBLISH_FORMAT', { formats: outputPlans(plan).map(({ format }) => format) })
}

/** Opens a publication in a new folder, so that a render that is tried again never changes what was published. */
export const openPublication = async (
  scope: Scope,
  sounds: Sounds,
  plan: RenderPlan,
  options: Publishing,
): Promise<OpenPublication> => {
  const { context, watch, workDir } = scope
  const { encoder, publish, output, index } = chooseOutput(scope, plan)
  const { name } = encoder
  const mixing = { ...context({ name, options: {} }), plan: output, path: join(workDir, 'published-sound') }
  const { growing, audio } = await beginSound((onGrowth) => sounds.mix(encoder, { ...mixing, onGrowth }))
  const pluginContext = context(encoder, scope.signal, output.encoder.options)
  const folder = await mkdtemp(join(options.folder ?? workDir, 'video-'))
  const job = { plan: output, folder, audio: growing }
  const opened = await watch.run(name, 'publish', () => publish(job, pluginContext))
  const publication: Publication = checkAnswer(name, 'publish', opened)
  return {
    audio,
    async add(encoded: EncodedFile) {
      const segment = index === 0 ? encoded : encoded.more?.[index - 1]
      if (segment) await watch.run(name, 'publish', () => publication.add(segment))
      options.onSegment?.(join(folder, publication.index))
    },
    end: () => watch.close(name, 'publish', () => publication.end()),
  }
}

/** Creates the publisher of a render; undefined where nothing is published. */
export const createPublisher = (
  scope: Scope,
  sounds: Sounds,
  options: Publishing | undefined,
): Publisher | undefined => {
  if (!options) return undefined
  const waiting = new Map<number, EncodedFile>()
  let opened: ReturnType<typeof openPublication> | undefined
  let last: Promise<void> = Promise.resolve()
  let next = 0
  let ending: Promise<void> | undefined
  const publishNext = async () => {
    for (let segment = waiting.get(next); segment; segment = waiting.get(next)) {
      waiting.delete(next)
      next += 1
      const publication = await opened
      scope.signal.throwIfAborted()
      await publication?.add(segment)
    }
  }
  const end = async () => {
    await last
    const publication = await opened?.catch(() => undefined)
    await publication?.end()
    await options.onEnd?.()
  }
  return {
    take(plan, index, encoded) {
      opened ??= openPublication(scope, sounds, plan, options)
      waiting.set(index, encoded)
      // A render whose video cannot be published fails: nobody would see it grow.
      last = last.then(publishNext).catch((thrown: unknown) => scope.stop.abort(thrown))
    },
    sound: async () => (await opened)?.audio,
    end() {
      ending ??= end().catch((thrown: VidError) => scope.warn(warningOf(thrown)))
      return ending
    },
  }
}

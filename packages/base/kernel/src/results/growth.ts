import { dirname } from 'node:path'
import type { RenderResult } from '@vid/protocol'
import type { OpenRender, Publishing } from '../contracts/kernel-types.ts'
import type { PluginOf } from '../contracts/plugin.ts'
import type { Artifact, DeliveryGrowth } from '../contracts/roles.ts'
import { checkAnswer } from '../supervision/answers.ts'
import { blame, warningOf } from '../supervision/blame.ts'

type Delivery = PluginOf<'delivery'>

/** Milliseconds that a delivery may take to end a video, also of a render that was stopped. */
const ENDING_MS = 10_000

/** One delivery of a video that is rendered. */
interface Branch {
  /** Delivers the folder as it is, once what was delivered before has ended; does not wait. */
  update(folder: string): void
  end(folder: string): Promise<void>
  growth(): DeliveryGrowth | undefined
}

const openBranch = (run: OpenRender, delivery: Delivery, outputPath: string): Branch => {
  let growth: DeliveryGrowth | undefined
  let last: Promise<void> = Promise.resolve()
  let isWaiting = false
  // A destination that is away is tried again with the next segment, and with the finished video.
  const warn = (thrown: unknown) => run.warn(warningOf(blame(thrown, delivery.name, 'grow')))
  return {
    growth: () => growth,
    update(folder) {
      // What is published meanwhile is delivered by the call that waits already.
      if (isWaiting) return
      isWaiting = true
      const deliverNext = async () => {
        isWaiting = false
        run.signal.throwIfAborted()
        growth ??= checkAnswer(delivery.name, 'grow', await delivery.grow?.({ outputPath }, run.context(delivery)))
        await growth?.update(folder)
      }
      last = last.then(deliverNext).catch((thrown: unknown) => {
        if (!run.signal.aborted) warn(thrown)
      })
    },
    async end(folder) {
      await last
      await growth?.end(folder, AbortSignal.timeout(ENDING_MS)).catch(warn)
    },
  }
}

/** The deliveries that bring a video to their destinations while it is rendered. */
export interface GrowingDeliveries {
  /** How the render publishes: as the caller asks, and for these deliveries. */
  readonly publish: Publishing | undefined
  /** Begins with an open render. */
  start(run: OpenRender): void
  /** The growth of an output by a delivery; undefined where the delivery brings the finished artifact only. */
  of(delivery: Delivery, outputPath: string): DeliveryGrowth | undefined
}

/**
 * Publishes for the deliveries that deliver while a video is rendered, besides for the caller; `output` is the path of
 * what is published, undefined for nothing.
 */
export const createGrowingDeliveries = (
  deliveries: readonly Delivery[],
  output: string | undefined,
  publish: Publishing | undefined,
): GrowingDeliveries => {
  const growing = deliveries.filter(({ grow }) => grow)
  if (output === undefined || growing.length === 0) return { publish, start() {}, of: () => undefined }
  const branches = new Map<Delivery, Branch>()
  let folder = ''
  return {
    publish: {
      ...publish,
      onSegment(index) {
        publish?.onSegment?.(index)
        folder = dirname(index)
        for (const branch of branches.values()) branch.update(folder)
      },
      async onEnd() {
        await Promise.all([...branches.values()].map((branch) => branch.end(folder)))
      },
    },
    start(run) {
      for (const delivery of growing) branches.set(delivery, openBranch(run, delivery, output))
    },
    of: (delivery, outputPath) => (outputPath === output ? branches.get(delivery)?.growth() : undefined),
  }
}

/** Delivers an artifact: the rest of it, if it was delivered while it was rendered. */
export const deliverWhole = (
  run: OpenRender,
  delivery: Delivery,
  growth: GrowingDeliveries,
  { artifact, result }: { readonly artifact: Artifact; readonly result: RenderResult },
  // biome-ignore lint/suspicious/noConfusingVoidType: a delivery that has nothing to say returns nothing
): Promise<string | void> => {
  const grown = growth.of(delivery, result.outputPath)
  return grown ? grown.finish(artifact, result) : delivery.deliver(artifact, result, run.context(delivery))
}

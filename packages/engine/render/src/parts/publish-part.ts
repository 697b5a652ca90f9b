import type { RenderPlan } from '@vid/protocol'
import { prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { type PartContext, type PartOptions, withIdlePart } from './part-context.ts'

/** The video of a plan to publish while its segments are rendered, here or elsewhere. */
export interface PublishPart {
  readonly plan: RenderPlan
  /** Absolute path of an empty folder in which the video grows; its owner removes it. */
  readonly folder: string
  /** Paths of the files of the first segments, in order; the next one is read when the one before is published. */
  readonly segments: AsyncIterable<string>
  /** Called after each segment that was published, with the path of the file that players open. */
  onSegment(index: string): Promise<void>
}

/** Publishes segments of a plan until there are no more; it captures nothing, and needs no slot. */
export const publishParts = async (
  settings: RenderSettings,
  { plan, folder, segments, onSegment }: PublishPart,
  parts: PartContext,
  options: PartOptions,
): Promise<void> => {
  options.signal.throwIfAborted()
  const prepared = await prepareRender(settings, parts.context, { writes: false })
  const setup = parts.setupOf(prepared, options.store)
  const { projectDir } = prepared
  await withIdlePart({ setup, projectDir }, parts, options, async (run) => {
    const accepted = await run.acceptPlan(plan)
    let index = ''
    const publication = await run.publish(accepted, {
      folder,
      onSegment(path) {
        index = path
      },
    })
    try {
      for await (const file of segments) {
        await publication.add({ file })
        await onSegment(index)
      }
    } finally {
      await publication.end()
    }
  })
}

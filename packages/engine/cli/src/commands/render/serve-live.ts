import { stopped } from '@vid/command'
import type { PublishOptions } from '@vid/kernel'
import type { RenderCommandRun } from './options.ts'

/** A page that plays a video while it is rendered. */
interface ServedRender {
  readonly publish: PublishOptions
  /** Resolves at Ctrl-C: the page stays when the render has ended. */
  untilStopped(): Promise<void>
  close(): Promise<void>
}

/** Starts the page and prints its address. */
export const serveLive = async ({
  options,
  report,
  signal,
}: Pick<RenderCommandRun, 'options' | 'report' | 'signal'>): Promise<ServedRender> => {
  const { openLive } = await import('@vid/site/live')
  const { url, port, folder, show, close } = await openLive(options['serve-port'])
  report.event({ type: 'live-start', url, port })
  report.note(`plays at ${url}`)
  return {
    publish: { folder, onSegment: show },
    async untilStopped() {
      report.note('Ctrl-C ends the page')
      await stopped(signal)
    },
    close,
  }
}

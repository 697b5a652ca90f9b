import type { RenderRequest } from '@vid/kernel'
import type { RenderContext } from './context.ts'

type BrowserGpu = RenderRequest['browserGpu']

/**
 * Whether pages are drawn on a GPU. A server leaves that off unless its operator's config turns it on: pages there are
 * those of strangers, and a plan may be rendered by a machine with another GPU.
 */
export const chooseBrowserGpu = (
  asked: BrowserGpu | undefined,
  merged: BrowserGpu | undefined,
  { configFrom }: Pick<RenderContext, 'configFrom'>,
): { readonly browserGpu?: BrowserGpu } => {
  const browserGpu = asked ?? merged
  if (configFrom === 'cwd') return { browserGpu: browserGpu === true }
  return browserGpu === undefined ? {} : { browserGpu }
}

import type { ShownFrame } from '@vid/kernel'
import { PAGE_HOST, type PageBox, type PageOutline } from '@vid/runtime'

/** What the page of a shown frame holds over its whole length. */
export const readOutline = async (shown: Pick<ShownFrame, 'evaluate'>): Promise<PageOutline> =>
  (await shown.evaluate(`${PAGE_HOST}.outline()`)) as PageOutline

/** The elements that a shown frame shows, and where. */
export const readPageBoxes = async (shown: Pick<ShownFrame, 'evaluate'>): Promise<readonly PageBox[]> =>
  (await shown.evaluate(`${PAGE_HOST}.boxes()`)) as readonly PageBox[]

import type { CapturePage } from '../page/page.ts'
import { callForHandle, callPage, callWithHandles, type PageHandle } from '../page/page-call.ts'
import type { DecodesPackets } from './packet-show.ts'

/**
 * Adds an overlay canvas to a video of the page, for its decoded pictures. It is in the video's user-agent shadow tree,
 * which only the debugger can access, so the page does not notice a change. `objectGroup` names the
 * debugger's references until they are released.
 */
const addOverlay = async (page: CapturePage, id: string, objectGroup: string): Promise<boolean> => {
  const shadowOf = async (video: Promise<PageHandle | undefined>): Promise<PageHandle | undefined> => {
    const handle = await video
    if (handle === undefined) return undefined
    const { node } = await page.send('DOM.describeNode', { ...handle, depth: 1, pierce: true })
    const inside = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'user-agent')
    if (!inside) return undefined
    const { backendNodeId } = inside
    const { object } = await page.send('DOM.resolveNode', { backendNodeId, objectGroup })
    return { objectId: object.objectId }
  }
  const open = async () => {
    const [shadow, spareShadow] = await Promise.all([
      shadowOf(callForHandle(page, objectGroup, 'videoElement', id)),
      shadowOf(callForHandle(page, objectGroup, 'spareVideo')),
    ])
    if (shadow === undefined || spareShadow === undefined) return false
    return callWithHandles(page, shadow, 'addOverlayCanvas', id, shadow, spareShadow)
  }
  const isAdded = await page.alive(open(), 'preparing videos')
  await page.send('Runtime.releaseObjectGroup', { objectGroup })
  return isAdded
}

/** Checks once per video and configuration whether the page decodes the video itself; if so, adds an overlay canvas. */
export const decodesHere = (page: CapturePage): DecodesPackets => {
  const answers = new Map<string, Promise<boolean>>()
  // Videos are prepared concurrently, so each has a separate group of references.
  let groups = 0
  const ask: DecodesPackets = async (id, config) =>
    (await callPage(page, { doing: 'preparing videos' }, 'canDecode', config)) &&
    addOverlay(page, id, `vid-overlay-${groups++}`)
  return (id, config) => {
    const key = JSON.stringify([id, config])
    const answer = answers.get(key) ?? ask(id, config)
    answers.set(key, answer)
    return answer
  }
}

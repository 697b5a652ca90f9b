import type { CapturePage } from '../page/page.ts'
import { callForHandle, callPage, callWithHandles, type PageHandle } from '../page/page-call.ts'
import type { DecodesPackets } from './packet-show.ts'

/**
 * Adds an overlay canvas to a video of the page, to show decoded packets on. It is in the video's user-agent shadow tree,
 * which the debugger can reach and no script of the page: the page does not see a change. `objectGroup` names the
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

/** Asks a page, once for each video and configuration, whether it decodes the video itself; the video then has an overlay canvas. */
export const decodesHere = (page: CapturePage): DecodesPackets => {
  const answers = new Map<string, Promise<boolean>>()
  // Videos are prepared side by side: each has a group of references of its own.
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
